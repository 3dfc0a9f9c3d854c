import { ServiceError } from '../../core/errors.ts'
import { LIMITS } from '../../core/limits.ts'

/** Paths kept by the platform; each name stands for the file and for everything under it. */
const PROTECTED: { name: string; why: string }[] = [
  { name: 'app.ts', why: 'is kept by the platform and cannot be changed' },
  { name: 'package.json', why: 'is kept by the platform and cannot be changed' },
  { name: 'manifest.json', why: 'is kept by the platform and cannot be changed' },
  { name: 'api/webhook.ts', why: 'is kept by the platform and cannot be changed' },
  { name: 'api/send.ts', why: 'is kept by the platform and cannot be changed' },
  { name: 'lib', why: 'is kept by the platform and cannot be changed' },
  { name: '.platform', why: 'is kept by the platform and cannot be changed' },
  { name: 'flows', why: 'is changed by the flow endpoints alone' },
]

/** Not allowed in paths: each would mean something else on some system, or after another round of decoding. */
const ODD: { pattern: RegExp; what: string }[] = [
  {
    pattern: /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u,
    what: 'an invisible character',
  },
  { pattern: /(?! )\p{Zs}/u, what: 'a space of another kind' },
  { pattern: /[\\:*?"<>|]/, what: 'one of \\ : * ? " < > |' },
  { pattern: /%[0-9a-f]{2}/i, what: 'a percent sign and two digits' },
]

/** Throws `invalid_id` unless it is a path that names one file, the same one everywhere. */
export function requirePath(path: string): void {
  const problem = problemOf(path)
  if (problem === null) return
  throw new ServiceError('invalid_id', `The path of a file ${problem}.`, {
    details: { errors: [{ path: 'path', message: problem }] },
  })
}

function problemOf(path: string): string | null {
  const { codePathCharacters } = LIMITS
  if ([...path].length > codePathCharacters) return `has at most ${codePathCharacters} characters`
  if (path !== path.normalize('NFC')) return 'must be in Unicode normalization form C'
  const odd = ODD.find(({ pattern }) => pattern.test(path))
  if (odd) return `must not hold ${odd.what}`
  const parts = path.split('/')
  if (parts.includes('')) return 'is relative, without an empty part'
  // This refuses . and .. too.
  if (parts.some((part) => /^ |[ .]$/.test(part))) {
    return 'has no part that begins with a space, or ends with a space or a dot'
  }
  return null
}

/** Whether the platform keeps the file. */
export function isProtected(path: string): boolean {
  return ruleOf(path) !== undefined
}

/** Throws `protected_file` for a path that the platform keeps, or for one that looks the same. */
export function requireUnprotected(path: string): void {
  const rule = ruleOf(path)
  if (rule) throw new ServiceError('protected_file', `${path} ${rule.why}.`)
}

function ruleOf(path: string) {
  const folded = path.normalize('NFKC').toLowerCase()
  return PROTECTED.find(({ name }) => folded === name || folded.startsWith(`${name}/`))
}

/** The folders that contain a file, the outermost first. */
export function foldersOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'))
}
