import {copyFileSync, mkdirSync, readFileSync} from 'node:fs'
import {dirname, join} from 'node:path'

/**
 * Copies a declaration file and all that it leads to, so that they can stand in a folder of CommonJS: TypeScript reads a
 * file by the kind of its folder, and refuses to `require` what it takes for an ES module.
 * @param {string} from
 * @param {string} name
 * @param {string} to
 */
export function declarationsFrom(from, name, to) {
  const seen = new Set([name])
  for (const file of seen) {
    const text = readFileSync(join(from, file), 'utf8')
    for (const [, path = ''] of text.matchAll(/(?:from |import\()["'](\.[^"']+)\.js["']/g)) {
      seen.add(join(dirname(file), `${path}.d.ts`))
    }
    mkdirSync(dirname(join(to, file)), {recursive: true})
    copyFileSync(join(from, file), join(to, file))
  }
}
