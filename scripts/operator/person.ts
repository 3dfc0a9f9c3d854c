import { userInfo } from 'node:os'

/** Who works on this machine: an account by its name, or by its number where it has none, as in many containers. */
export function personHere(account: () => { username: string } = userInfo): string {
  try {
    return account().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}
