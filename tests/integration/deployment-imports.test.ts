import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'

let service: TestService
let project: TestProject

beforeAll(async () => {
  service = await startTestService()
  project = await service.project()
})
afterAll(() => service.stop())

const put = (path: string, content: string) =>
  project.client.ok('putFile', { path: { path }, body: { content } })
const deploy = () => project.client.send('createDeployment', { body: { dry_run: true } })
const botOf = (specifier: string) =>
  put('bot.ts', `import all from '${specifier}'\nexport const onMessage = () => all`)

describe('an import', () => {
  it.each(['README.md', 'view.tsx', 'look.css'])(
    'of %s, which is there, is refused by what can be imported, not as a file that is missing',
    async (name) => {
      await put(name, 'export default 1')
      await botOf(`./${name}`)
      const { details } = await project.client.refused('createDeployment', 'build_failed', {
        body: { dry_run: true },
      })
      const text = `There is no file ${name} that can be imported; only .ts, .js, .mjs, .json, .txt can.`
      expect(details.errors).toMatchObject([{ file: 'bot.ts', line: 1, column: 17, text }])
    },
  )

  it('finds its file however its letters are composed', async () => {
    await put('más.ts'.normalize('NFC'), 'export default 1')
    await botOf('./más.ts'.normalize('NFD'))
    expect((await deploy()).status).toBe(201)
  })
})
