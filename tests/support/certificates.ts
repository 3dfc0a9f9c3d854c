import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

export type Certificate = { cert: string; key: string }

/** `names` as certificates write them: `DNS:example.org` or `IP:127.0.0.1`. */
export type Authority = {
  cert: string
  issue(names: string, days?: number): Certificate
  remove(): void
}

/** An authority of the test's own, made by openssl in a temporary folder. */
export function createAuthority(): Authority {
  const folder = mkdtempSync(path.join(tmpdir(), 'service-certificates-'))
  const file = (name: string) => path.join(folder, name)
  const read = (name: string) => readFileSync(file(name), 'utf8')
  const openssl = (...args: string[]) =>
    execFileSync('openssl', args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
  const makeKey = (name: string) =>
    openssl('ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', name)

  makeKey('authority.key')
  const authority = ['-new', '-key', 'authority.key', '-subj', '/CN=Authority of a test']
  openssl('req', '-x509', ...authority, '-days', '1', '-out', 'authority.pem')
  return {
    cert: read('authority.pem'),
    issue(names, days = 1) {
      makeKey('server.key')
      writeFileSync(file('names'), `subjectAltName=${names}`)
      openssl('req', '-new', '-key', 'server.key', '-subj', '/CN=server', '-out', 'server.csr')
      openssl(
        ...['x509', '-req', '-in', 'server.csr', '-CA', 'authority.pem', '-CAkey', 'authority.key'],
        ...['-CAcreateserial', '-days', String(days), '-extfile', 'names', '-out', 'server.pem'],
      )
      return { cert: read('server.pem'), key: read('server.key') }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
