import { copyFile, cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PROJECT_ROOT } from '../../core/root.ts'
import { run } from './command.ts'
import type { Bed } from './service.ts'

/** Generates a client from the served contract, compiles it, and uses it. */
export type Language = {
  /** Commands that succeed where its tools are installed, each with what its failure means. */
  needs: { probe: string[]; missing: string }[]
  tools: string
  /** What the client has been seen to do, once it was generated and compiled. */
  shown: string
  play(bed: Bed): Promise<void>
}

/** What was fetched is kept between runs. */
const TOOLS = path.join(tmpdir(), 'client-generators')
const PYTHON = ['openapi-python-client==0.29.1', 'ruff==0.14.5', 'mypy==1.18.2']
const OAPI_CODEGEN = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2'
const GENERATOR = '7.25.0'
const STRICT = [
  ...['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'],
  ...['--target', 'es2022', '--module', 'nodenext', '--allowImportingTsExtensions'],
  ...['--skipLibCheck', '--types', 'node'],
]

/** What openapi-generator is to make; without the first, what is sent as a form alone has no class. */
const WITH_FORMS = [
  '--global-property',
  [
    ...['skipFormModel=false', 'apis', 'models', 'supportingFiles'],
    ...['apiTests', 'modelTests', 'apiDocs', 'modelDocs'].map((name) => `${name}=false`),
  ].join(','),
]

const source = (...names: string[]) => path.join(PROJECT_ROOT, 'scripts/sdks', ...names)
const bin = (name: string) => path.join(PROJECT_ROOT, 'node_modules/.bin', name)

const JOURNEY = 'journey walked'
const JAVA = { probe: ['javac', '--version'], missing: 'a JDK' }
const MAVEN = { probe: ['mvn', '--version'], missing: 'mvn' }

/** By name: every language that a client is generated for. */
export const LANGUAGES: Record<string, Language> = {
  typescript: {
    needs: [],
    tools: 'openapi-typescript, openapi-fetch, tsc --strict',
    shown: JOURNEY,
    play: typescript,
  },
  'typescript-fetch': {
    needs: [JAVA, MAVEN],
    tools: 'openapi-generator, tsc --strict',
    shown: 'all examples read and written',
    play: typescriptFetch,
  },
  python: {
    needs: [{ probe: ['python3', '-c', 'import venv, ensurepip'], missing: 'python3 with venv' }],
    tools: 'openapi-python-client, mypy',
    shown: JOURNEY,
    play: python,
  },
  go: {
    needs: [{ probe: ['go', 'version'], missing: 'go' }],
    tools: 'oapi-codegen, go build',
    shown: JOURNEY,
    play: go,
  },
  java: {
    needs: [JAVA, MAVEN],
    tools: 'openapi-generator, mvn compile',
    shown: JOURNEY,
    play: java,
  },
}

async function typescript({ url, key, folder, document }: Bed): Promise<void> {
  const cwd = path.join(folder, 'typescript')
  const journey = 'scripts/sdks/typescript/journey.ts'
  await mkdir(path.join(cwd, path.dirname(journey)), { recursive: true })
  await mkdir(path.join(cwd, 'generated'))
  await writeFile(path.join(cwd, 'package.json'), '{ "type": "module" }')
  await symlink(path.join(PROJECT_ROOT, 'node_modules'), path.join(cwd, 'node_modules'))
  await copyFile(path.join(PROJECT_ROOT, journey), path.join(cwd, journey))
  await run(bin('openapi-typescript'), [document, '-o', 'generated/openapi.ts'], { cwd })
  await run(bin('tsc'), [...STRICT, journey], { cwd })
  await run(bin('tsx'), [journey, url, key], { cwd })
}

async function typescriptFetch({ folder, document }: Bed): Promise<void> {
  const cwd = path.join(folder, 'typescript-fetch')
  await mkdir(cwd)
  await writeFile(path.join(cwd, 'package.json'), '{ "type": "module" }')
  const jar = await openapiGenerator(cwd)
  const generate = ['generate', '-g', 'typescript-fetch', '-i', document, '-o', 'client']
  await run('java', ['-jar', jar, ...generate, ...WITH_FORMS], { cwd })
  const modules = ['--module', 'preserve', '--target', 'es2022']
  const types = ['--skipLibCheck', '--types', 'node']
  await symlink(path.join(PROJECT_ROOT, 'node_modules'), path.join(cwd, 'node_modules'))
  await run(bin('tsc'), ['--noEmit', '--strict', ...modules, ...types, 'client/index.ts'], { cwd })
  const roundTrip = source('typescript-fetch/round-trip.ts')
  await run(bin('tsx'), [roundTrip, 'client/index.ts', document], { cwd })
}

async function python({ url, key, folder, document }: Bed): Promise<void> {
  const cwd = path.join(folder, 'python')
  const tools = path.join(TOOLS, 'python')
  await mkdir(cwd)
  await run('python3', ['-m', 'venv', tools], { cwd })
  const tool = (name: string) => path.join(tools, 'bin', name)
  await run(tool('pip'), ['install', '--quiet', ...PYTHON], { cwd })
  const PATH = `${path.join(tools, 'bin')}${path.delimiter}${process.env.PATH}`
  const config = ['--config', source('python/config.yaml'), '--fail-on-warning']
  const into = ['--meta', 'none', '--output-path', 'client']
  const args = ['generate', '--path', await opened(document, cwd), ...into, ...config]
  await run(tool('openapi-python-client'), args, { cwd, env: { PATH } })
  await copyFile(source('python/journey.py'), path.join(cwd, 'journey.py'))
  await run(tool('mypy'), ['journey.py'], { cwd })
  await run(tool('python'), ['journey.py', url, key], { cwd })
}

async function go({ url, key, folder, document }: Bed): Promise<void> {
  const cwd = path.join(folder, 'go')
  await cp(source('go'), cwd, { recursive: true })
  await mkdir(path.join(cwd, 'api'))
  await writeFile(path.join(cwd, 'go.mod'), 'module journey\n\ngo 1.24\n')
  const env = { GOBIN: TOOLS, GOFLAGS: '-mod=mod', GOTOOLCHAIN: 'local' }
  await run('go', ['install', OAPI_CODEGEN], { cwd, env })
  const generate = ['-config', 'oapi-codegen.yaml', document]
  await run(path.join(TOOLS, 'oapi-codegen'), generate, { cwd })
  await run('go', ['mod', 'tidy'], { cwd, env })
  await run('go', ['vet', '.'], { cwd, env })
  await run('go', ['run', '.', url, key], { cwd, env })
}

async function java({ url, key, folder, document }: Bed): Promise<void> {
  const cwd = path.join(folder, 'java')
  await mkdir(cwd)
  const jar = await openapiGenerator(cwd)
  // Without the first, what a schema does not close is closed; without the second, lists that are left out are
  // sent as empty ones.
  const chosen = ['disallowAdditionalPropertiesIfNotPresent=false', 'containerDefaultToNull=true']
  const options = ['--additional-properties', chosen.join(',')]
  const from = ['-i', await opened(document, cwd), '-o', cwd]
  const args = ['-jar', jar, 'generate', '-g', 'java', ...from, ...WITH_FORMS, ...options]
  await run('java', args, { cwd })
  await copyFile(source('java/Journey.java'), path.join(cwd, 'src/main/java/Journey.java'))
  const paths = ['dependency:build-classpath', '-Dmdep.outputFile=classpath']
  await run('mvn', ['-q', 'compile', ...paths], { cwd })
  const libraries = await readFile(path.join(cwd, 'classpath'), 'utf8')
  const classpath = ['target/classes', libraries.trim()].join(path.delimiter)
  await run('java', ['-cp', classpath, 'Journey', url, key], { cwd })
}

/** Where openapi-generator is, fetched once. */
async function openapiGenerator(cwd: string): Promise<string> {
  const jar = path.join(TOOLS, `openapi-generator-cli-${GENERATOR}.jar`)
  if (existsSync(jar)) return jar
  await mkdir(TOOLS, { recursive: true })
  const artifact = `-Dartifact=org.openapitools:openapi-generator-cli:${GENERATOR}`
  await run('mvn', ['-q', 'dependency:copy', artifact, `-DoutputDirectory=${TOOLS}`], { cwd })
  return jar
}

/**
 * A copy of the contract for generators whose clients would refuse what may be added without a new version: a
 * member that a schema does not name, and a value that an extensible list does not have.
 */
async function opened(document: string, folder: string): Promise<string> {
  const contract: unknown = JSON.parse(await readFile(document, 'utf8'), function (name, value) {
    const isClosing = name === 'additionalProperties' && value === false
    const isListing = name === 'enum' && (this as Record<string, unknown>)['x-extensible'] === true
    return isClosing || isListing ? undefined : (value as unknown)
  })
  const copy = path.join(folder, 'open.json')
  await writeFile(copy, JSON.stringify(contract))
  return copy
}
