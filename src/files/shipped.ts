import {existsSync} from 'node:fs'
import {dirname, join, resolve} from 'node:path'
import {fileURLToPath} from 'node:url'

/** What the package brings along. */

/** The name of the seed pack that is built in. */
export const builtInPack = 'demo'

/** A file or folder of the package, wherever that is installed and whichever bundle asks. */
export function shipped(...path: readonly string[]): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const found = join(folder, ...path)
    if (existsSync(found)) return found
    if (folder === dirname(folder)) throw new Error(`The package lacks ${join(...path)}.`)
  }
}

/** The absolute path of a seed pack: `demo` is the one that is built in, `./demo` a folder of that name. */
export const seedFolder = (seed: string): string =>
  seed === builtInPack ? shipped('fixtures', builtInPack) : resolve(seed)
