// Builds one bot in a process of its own: reads a job as JSON from standard input, writes its outcome to
// standard output. None of the bot's code is executed, and none of the machine's files is read for it.
import { subscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { build, stop } from 'esbuild'

const ENTRY = 'app.ts'
const NAMESPACE = 'bot'
const LOADERS = { '.ts': 'ts', '.js': 'js', '.mjs': 'js', '.json': 'json', '.txt': 'text' }
const GAP = 'An import must name one file, in a text that is written out.'
/** What an import may leave out, the most likely first. */
const ENDINGS = ['', '.ts', '.js', '.mjs', '.json', '/index.ts', '/index.js']

/**
 * A source map named in a file would be looked up on the machine. Of several, the last one counts; this one is
 * empty.
 */
const NO_MAP = '\n//# sourceMappingURL=data:,{}'
const MAPPED = ['ts', 'js']
const CODE = /\.(ts|js|mjs)$/

const { files: entries, timeoutMs, faultsMax } = JSON.parse(await text(process.stdin))
const files = new Map(entries)
/** What the bot's script is made of, so far as it has been read. */
const joined = new Set()
// The parent may be gone, and with it whoever would end this process.
setTimeout(() => process.exit(1), timeoutMs).unref()
process.once('SIGTERM', stop)
/** The compiler, which esbuild starts with the first build, and keeps to itself. */
let compiler = null
subscribe('child_process', (started) => {
  compiler = started.process
})
const done = await outcome()
await endCompiler()
if (done === null) process.exit(1)
process.stdout.end(JSON.stringify(done), () => process.exit(0))

/**
 * Waits for the compiler's end. If it outlived this process, it would be left to process 1 of a container, which is
 * the service where there is no other, and Node reaps only what it has started itself.
 */
async function endCompiler() {
  stop()
  if (compiler === null || compiler.exitCode !== null || compiler.signalCode !== null) return
  compiler.ref()
  await once(compiler, 'exit')
}

/** What is to be told; null when it cannot be built here. */
async function outcome() {
  try {
    const script = await compiled(ENTRY, {
      bundle: true,
      format: 'iife',
      globalName: 'bot',
      target: 'es2020',
      legalComments: 'none',
      sourcemap: 'external',
      sourcesContent: false,
    })
    const errors = told([...script.faults, ...(await faultsOfOthers())])
    if (errors.length > 0) return { ok: false, errors }
    const made = (ending) => script.outputFiles.find((file) => file.path.endsWith(ending)).text
    return { ok: true, bundle: made('.js'), sourceMap: withOwnNames(made('.map')) }
  } catch {
    // Without a list of faults esbuild itself failed, which happens only for lack of memory.
    return null
  }
}

/**
 * The faults of code that nothing imports: it is no part of the script, but a fault is better known before it
 * becomes one. One file after the other, as all together may need more memory than the script.
 */
async function faultsOfOthers() {
  const faults = []
  for (const name of [...files.keys()].filter((one) => CODE.test(one) && !joined.has(one))) {
    faults.push(...(await compiled(name, { bundle: false, target: 'esnext' })).faults)
  }
  return faults
}

/** What esbuild makes of a file, and its faults; throws when it fails itself. */
async function compiled(entry, options) {
  try {
    const { outputFiles, warnings } = await build({
      ...options,
      // Not by its name, as one of the machine may be called the same.
      entryPoints: [NAMESPACE],
      write: false,
      outdir: '/',
      platform: 'neutral',
      charset: 'utf8',
      tsconfigRaw: {},
      logLevel: 'silent',
      logLimit: 0,
      plugins: [{ name: NAMESPACE, setup: (plugin) => fromMemory(plugin, entry) }],
    })
    return { outputFiles, faults: warnings.filter(isGap) }
  } catch (error) {
    if (!Array.isArray(error.errors)) throw error
    return { outputFiles: [], faults: [...error.errors, ...error.warnings.filter(isGap)] }
  }
}

function fromMemory({ onResolve, onLoad }, entry) {
  onResolve({ filter: /.*/ }, ({ kind, importer, path: specifier }) => {
    if (kind === 'entry-point') return { path: entry, namespace: NAMESPACE }
    return resolve(importer, specifier)
  })
  onLoad({ filter: /.*/, namespace: NAMESPACE }, ({ path: name }) => {
    joined.add(name)
    const loader = LOADERS[path.posix.extname(name)]
    const contents = files.get(name)
    if (contents === null) return fault(`${name} is not UTF-8.`)
    if (contents === undefined) return fault(`There is no file ${name}.`)
    return { contents: MAPPED.includes(loader) ? contents + NO_MAP : contents, loader }
  })
  // For a dynamic path, esbuild loads whatever fits on the machine.
  onLoad({ filter: /.*/ }, () => fault(GAP))
}

/**
 * Whether esbuild has searched the machine's own files for a dynamic path such as `./${name}.json`. The answer
 * must not tell whether anything was found.
 */
function isGap({ id, text }) {
  return id === 'empty-glob' || /^Could not resolve (import|require)\(/.test(text)
}

function resolve(importer, specifier) {
  if (!/^\.\.?(\/|$)/.test(specifier)) {
    return fault(
      `"${specifier}" cannot be imported: a bot has its own files alone, by paths that begin with ./ or ../`,
    )
  }
  // In the form of the paths of all files.
  const target = path.posix.join(path.posix.dirname(importer), specifier.normalize('NFC'))
  const asTypescript = target.replace(/\.js$/, '.ts')
  const name = [...ENDINGS.map((ending) => target + ending), asTypescript].find(
    (one) => files.has(one) && isImportable(one),
  )
  if (name !== undefined) return { path: name, namespace: NAMESPACE }
  const isOther = path.posix.extname(target) !== '' && !isImportable(target)
  const what = isOther ? ` that can be imported; only ${Object.keys(LOADERS).join(', ')} can` : ''
  return fault(`There is no file ${target}${what}.`)
}

/** The existence of other files must not be revealed. */
function isImportable(name) {
  return path.posix.extname(name) in LOADERS
}

function fault(text) {
  return { errors: [{ text }] }
}

/** Faults with positions in the bot's own files, each once. */
function told(errors) {
  const faults = errors.map((error) =>
    JSON.stringify(placed(isGap(error) ? GAP : error.text, error.location)),
  )
  return [...new Set(faults)].slice(0, faultsMax).map((one) => JSON.parse(one))
}

function placed(text, location) {
  if (!location) return { file: null, line: null, column: null, text }
  const { file, line, column, lineText } = location
  const name = ownName(file)
  const lines = files.get(name)?.split('\n') ?? []
  // The end of the file, which is after the line added to it.
  if (line > lines.length) {
    return { file: name, line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1, text }
  }
  const before = Buffer.from(lineText).subarray(0, column).toString()
  return { file: name, line, column: before.length + 1, text }
}

function withOwnNames(map) {
  const { sources, ...rest } = JSON.parse(map)
  return JSON.stringify({ ...rest, sources: sources.map(ownName) })
}

function ownName(name) {
  return name.replace(`${NAMESPACE}:`, '')
}
