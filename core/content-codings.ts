/** Whether a Content-Encoding names anything but `identity`, in any case of letters (RFC 9110 §8.4.1). */
export function isEncoded(header: unknown): boolean {
  const values: unknown[] = Array.isArray(header) ? header : [header]
  return values
    .flatMap((value) => (typeof value === 'string' ? value.split(',') : []))
    .some((coding) => !['', 'identity'].includes(coding.trim().toLowerCase()))
}
