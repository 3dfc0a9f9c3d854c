import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import * as channelAccounts from '../../capabilities/channel-accounts/channel-accounts.ts'
import * as projects from '../../capabilities/projects/projects.ts'
import { postCallback, type SandboxAccount } from '../../channel/sandbox-callbacks.ts'
import { envOf, operate } from '../support/operator.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

let service: TestService

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

/** Connects a project to a number; answers with what the operator is told beside the result. */
async function connect(
  projectId: string,
  phoneNumberId: string,
  accessToken = 'EAAGsecret',
): Promise<string> {
  const env = { ...envOf(service), PUBLIC_URL: 'https://api.example.com' }
  const { code, err } = await operate(env, [
    ...['channel', 'connect', '--project', projectId, '--phone-number-id', phoneNumberId],
    ...['--business-account-id', '2', '--app-id', '3', '--access-token', accessToken],
    ...['--app-secret', 'hush', '--verify-token', 'v'],
  ])
  expect(code).toBe(0)
  return err
}

describe('a project that is connected to Meta', () => {
  it.each([
    [{}, true],
    [{ PUBLIC_URL: 'http://api.example.com' }, true],
    [{ PUBLIC_URL: 'https://api.example.com' }, false],
  ])('is told of the https that it needs for callbacks, at %j: %s', async (more, isTold) => {
    const { id } = await service.project()
    const account = ['--phone-number-id=301', '--business-account-id=2', '--app-id=3']
    const secrets = ['--access-token=EAAGsecret', '--app-secret=hush', '--verify-token=v']
    const connect = ['channel', 'connect', '--project', id, ...account, ...secrets]
    const { code, err } = await operate({ ...envOf(service), ...more }, connect)
    expect(code).toBe(0)
    expect(err.includes('Meta calls https addresses alone')).toBe(isTold)
    await projects.setStatus(service.ctx, id, 'deleted')
  })
})

describe('a number that is connected to a second project', () => {
  it('is said to be the first one’s too, until that has another or is deleted', async () => {
    const [first, second] = [await service.project(), await service.project()]
    expect(await connect(first.id, '101')).toBe('')
    expect(await connect(first.id, '101')).toBe('')
    expect(await connect(second.id, '101')).toMatch(
      new RegExp(
        `^The number is connected to ${first.id} too\\. .* callback URL Meta has, else the oldest\\.\n$`,
      ),
    )
    expect(await connect(first.id, '102')).toBe('')
    expect(await connect(second.id, '101')).toBe('')
    await connect(second.id, '102')
    await projects.setStatus(service.ctx, second.id, 'deleted')
    expect(await connect(first.id, '102')).toBe('')
  })
})

describe('a project that is deleted', () => {
  const remove = (id: string) => operate(envOf(service), ['project', 'delete', id])

  it('is said to share its app with others, whose callbacks may come to its URL', async () => {
    const [first, second] = [await service.project(), await service.project()]
    await connect(first.id, '201')
    expect((await remove(first.id)).err).not.toContain(second.id)
    await connect(second.id, '202')
    await operate(envOf(service), ['project', 'resume', first.id])
    const { code, err } = await remove(first.id)
    expect(code).toBe(0)
    expect(err).toMatch(/: connected with the same app at Meta\. If it calls back at the URL of /)
    expect(err).toContain(second.id)
    expect((await remove((await service.project()).id)).err).toBe('')
  })
})

describe('operator channel update', () => {
  const update = (projectId: string, flags: string[], stdin = '') =>
    operate(
      envOf(service),
      ['channel', 'update', '--project', projectId, ...flags],
      false,
      Readable.from([stdin]),
    )
  const secretsOf = async (projectId: string) => {
    // Read anew, as after the notice of the change.
    await service.ctx.cache.changed()
    const { accessToken, appSecret, verifyToken, appSecretProof } = await accountOf(projectId)
    return { accessToken, appSecret, verifyToken, isProven: appSecretProof !== null }
  }
  const project = async () => (await service.project()).id
  const accountOf = (projectId: string) => channelAccounts.mustFind(service.ctx, projectId)
  const before = {
    ...{ accessToken: 'EAAGsecret', appSecret: 'hush', verifyToken: 'v' },
    isProven: false,
  }

  it('replaces what is given, and shows none of it', async () => {
    const { id } = await service.project()
    await connect(id, '301')
    const changed = await update(id, ['--access-token', ' EAAGnew\n', '--app-secret-proof=on'])
    expect(changed).toMatchObject({ code: 0, err: '' })
    expect(JSON.parse(changed.out)).toMatchObject({
      channel: { kind: 'cloud', phone_number_id: '301', app_secret_proof: true },
    })
    expect(changed.out).not.toMatch(/EAAG|hush/)
    expect(await secretsOf(id)).toEqual({ ...before, accessToken: 'EAAGnew', isProven: true })
    await update(id, ['--app-secret=hush2', '--verify-token=v2', '--app-secret-proof=off'])
    expect(await secretsOf(id)).toEqual({
      ...{ accessToken: 'EAAGnew', appSecret: 'hush2', verifyToken: 'v2' },
      isProven: false,
    })
  })

  it('has a server take callbacks that are signed with the new secret, and no others', async () => {
    const { id } = await service.project()
    await connect(id, '302')
    const former = await service.account(id)
    await update(id, ['--app-secret=hush2'])
    const payload = { object: 'whatsapp_business_account', entry: [] }
    const status = async (account: SandboxAccount) => (await postCallback(account, payload)).status
    const current = { ...former, appSecret: 'hush2' }
    await until(async () => (await status(current)) === 200, 'the new secret')
    expect(await status(former)).toBe(401)
  })

  it('gives the app’s new secret to all projects that had the former one', async () => {
    const [one, two, other] = [await project(), await project(), await project()]
    for (const id of [one, two]) await connect(id, `31${id}`)
    await connect(other, '313')
    await channelAccounts.update(service.ctx, other, { appSecret: 'elsewhere' })
    await service.ctx.cache.changed()
    const { code, err } = await update(one, ['--app-secret=hush3', '--access-token=EAAGone'])
    expect(code).toBe(0)
    expect(err).toMatch(/^Connected with the same app, and so with the new secret too: .*\.\n$/)
    expect(err).toContain(two)
    expect(err).not.toContain(other)
    expect(await secretsOf(one)).toEqual({ ...before, appSecret: 'hush3', accessToken: 'EAAGone' })
    expect(await secretsOf(two)).toEqual({ ...before, appSecret: 'hush3' })
    expect(await secretsOf(other)).toEqual({ ...before, appSecret: 'elsewhere' })
    expect((await update(one, ['--access-token=EAAGtwo'])).err).toBe('')
    await projects.setStatus(service.ctx, one, 'deleted')
    expect((await update(one, ['--app-secret=hush4'])).err).toBe(`There is no project ${one}.\n`)
    expect(await secretsOf(two)).toMatchObject({ appSecret: 'hush3' })
  })

  it('reads a secret from a file or from standard input, as connect does', async () => {
    const { id } = await service.project()
    await connect(id, '303')
    const file = path.join(await mkdtemp(path.join(tmpdir(), 'secret-')), 'token')
    await writeFile(file, 'EAAGfile\n')
    expect((await update(id, ['--access-token', `@${file}`])).code).toBe(0)
    expect(await secretsOf(id)).toEqual({ ...before, accessToken: 'EAAGfile' })
    expect((await update(id, ['--app-secret', '@-'], 'piped\n')).code).toBe(0)
    expect(await secretsOf(id)).toMatchObject({ appSecret: 'piped' })
    expect(await update(id, ['--app-secret', '@-'], ' \n')).toEqual({
      ...{ code: 1, out: '', err: 'Standard input is empty.\n' },
    })
    expect((await update(id, ['--app-secret', `@${file}.not`])).err).toMatch(
      /^The file .* cannot be read: /,
    )
    await connect(id, '303', `@${file}`)
    expect(await secretsOf(id)).toEqual({ ...before, accessToken: 'EAAGfile' })
  })

  it('changes nothing without a change, on the sandbox, or of a project that there is not', async () => {
    const { id } = await service.project()
    expect(await update(id, [])).toMatchObject({
      code: 1,
      err: expect.stringContaining(
        'Give at least one of --access-token, --app-secret, --verify-token and --app-secret-proof.',
      ),
    })
    const token = ['--access-token=EAAG']
    const { accessToken } = await secretsOf(id)
    expect((await update(id, token)).err).toBe(
      `Project ${id} is on the sandbox; channel connect connects it.\n`,
    )
    expect(await secretsOf(id)).toMatchObject({ accessToken })
    expect((await update('nobody', token)).err).toBe('There is no project nobody.\n')
    await connect(id, '304')
    await projects.setStatus(service.ctx, id, 'deleted')
    expect((await update(id, token)).err).toBe(`There is no project ${id}.\n`)
    expect(await secretsOf(id)).toEqual(before)
  })
})
