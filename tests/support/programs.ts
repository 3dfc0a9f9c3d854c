import { mkdir, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { build } from 'esbuild'
import { PROJECT_ROOT } from '../../core/root.ts'
import { keepForProcess } from '../../scripts/builds.mjs'

/** Where the programs are that tests start, beside the builds of the service. */
const BUILD = path.join(PROJECT_ROOT, 'dist', 'tests')

/**
 * Bundles what tests start in processes and threads of their own, as the service is bundled: a loader of
 * sources needs seconds for each of them.
 */
export async function buildPrograms(): Promise<void> {
  const names = ['bots', 'sender', 'server', 'worker'].map((name) => `crashing-${name}`)
  const { outputFiles } = await build({
    absWorkingDir: PROJECT_ROOT,
    entryPoints: {
      'bot/worker': 'bot/worker.ts',
      ...Object.fromEntries(names.map((name) => [name, `tests/support/${name}.ts`])),
    },
    outdir: BUILD,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
    write: false,
  })
  await mkdir(path.join(BUILD, 'bot'), { recursive: true })
  for (const { path: file, contents } of outputFiles) {
    // Another run may start it at this moment.
    const fresh = `${file}.${process.pid}`
    await writeFile(fresh, contents)
    await rename(fresh, file)
  }
  keepForProcess(BUILD)
}

/** The file of a program that was built. */
export function programFile(name: string): string {
  return path.join(BUILD, `${name}.js`)
}
