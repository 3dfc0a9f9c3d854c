// Makes generated/: the contract's types and the Prisma client. As `postinstall` it leaves out what
// cannot be made yet (a container layer that holds package.json alone). `--check` changes nothing and
// fails when what is committed is not what would be made.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

const ROOT = path.resolve(import.meta.dirname, '..')
const isPostinstall = process.argv.includes('--postinstall')
const isCheck = process.argv.includes('--check')

const STEPS = [
  { source: 'prisma/schema.prisma', tool: 'prisma', args: ['generate'], skip: isCheck },
  {
    source: 'openapi.yaml',
    tool: 'openapi-typescript',
    args: [
      'openapi.yaml',
      '-o',
      'generated/openapi.ts',
      '--empty-objects-unknown',
      ...(isCheck ? ['--check'] : []),
    ],
    // The types are committed; an installation makes the client alone.
    skip: isPostinstall,
  },
]

for (const { source, tool, args, skip } of STEPS) {
  const bin = path.join(ROOT, 'node_modules', '.bin', tool)
  if (skip || (isPostinstall && !(existsSync(path.join(ROOT, source)) && existsSync(bin)))) continue
  if (!existsSync(bin)) {
    process.stderr.write('Run npm ci first: packages are missing.\n')
    process.exit(1)
  }
  const { status, stdout, stderr } = spawnSync(bin, args, { cwd: ROOT, encoding: 'utf8' })
  if (status === 0) continue
  process.stderr.write(`${stdout}${stderr}`)
  if (isCheck) process.stderr.write(`generated/ is not made from ${source}: npm run generate\n`)
  process.exit(status ?? 1)
}
if (isCheck) checkClient()

function checkClient() {
  const client = path.join(ROOT, 'generated/prisma/internal/class.ts')
  const schema = JSON.stringify(readFileSync(path.join(ROOT, 'prisma/schema.prisma'), 'utf8'))
  if (existsSync(client) && readFileSync(client, 'utf8').includes(schema)) return
  process.stderr.write('generated/prisma is not made from prisma/schema.prisma: npm run generate\n')
  process.exit(1)
}
