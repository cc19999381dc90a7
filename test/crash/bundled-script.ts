import {copyFileSync, mkdirSync, rmSync} from 'node:fs'
import {basename, join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {buildSync} from 'esbuild'

/** Beside the installed packages, which the scripts import. */
const folder = fileURLToPath(new URL('../../node_modules/.cache/frontdesk-tests', import.meta.url))
/** Loaded by its path, which stays relative to the code that is bundled. */
const worker = fileURLToPath(new URL('../../src/secrets/password-worker.mjs', import.meta.url))

/**
 * A TypeScript file with all that it imports from the sources as one file of JavaScript, for processes of its own: tsx
 * takes seconds of CPU time at each start.
 */
export function bundledScript(path: string): string {
  const outfile = join(folder, `${basename(path, '.ts')}-${process.pid}.mjs`)
  buildSync({
    entryPoints: [path],
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    outfile,
    logLevel: 'error',
  })
  mkdirSync(folder, {recursive: true})
  copyFileSync(worker, join(folder, basename(worker)))
  process.once('exit', () => rmSync(outfile, {force: true}))
  return outfile
}
