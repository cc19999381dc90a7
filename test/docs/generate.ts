import {readFile, writeFile} from 'node:fs/promises'
import {fileURLToPath} from 'node:url'
import {manifestText} from '../../bin/source-config.mjs'
import {goldenPath, screensAt, widths} from '../cli/screens/screens.js'
import {schemaPages} from './schemas.js'
import {pagesWithTables} from './tables.js'

/** Writes everything that is generated: pages of docs/, the manifest, and the screens of all tables. With `--check` it writes nothing and names what is stale. */

const root = fileURLToPath(new URL('../..', import.meta.url))
const pages: readonly {readonly path: string; readonly text: string}[] = [
  ...schemaPages(),
  ...pagesWithTables(),
  {path: 'oclif.manifest.json', text: await manifestText(root)},
  ...(await Promise.all(widths.map(async (width) => ({path: goldenPath(width), text: await screensAt(width, root)})))),
]

const check = process.argv.includes('--check')
let stale = 0
for (const {path, text} of pages) {
  const old = await readFile(path, 'utf8').catch(() => '')
  if (old === text) continue
  stale += 1
  if (check) console.error(`${path} is stale: run npm run docs`)
  else {
    await writeFile(path, text)
    console.log(`wrote ${path}`)
  }
}
process.exitCode = check && stale > 0 ? 1 : 0
