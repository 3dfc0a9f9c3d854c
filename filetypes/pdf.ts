import { type ByteSource, tailOf } from './source.ts'

/** Writers leave a line or a signature after the last mark, but no more. */
const TRAILER_BYTES_MAX = 1_024
const END = '%%EOF'

/** Whether the file is a PDF document, from its first byte to (nearly) its last. */
export async function isPdf(source: ByteSource): Promise<boolean> {
  const start = await source.read(0, 8)
  if (!/^%PDF-[12]\.\d$/.test(start.toString('latin1'))) return false
  return (await tailOf(source, END.length + TRAILER_BYTES_MAX)).includes(END, 0, 'latin1')
}
