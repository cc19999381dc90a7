import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {pathToFileURL} from 'node:url'
import type {View} from '../../../src/cli/output/view.js'

/** Every view that a module of the command line exports, by its name; a new one is found without being listed. */
export async function exportedViews(root: string): Promise<ReadonlyMap<string, View>> {
  const folder = join(root, 'src', 'cli')
  const files = readdirSync(folder, {recursive: true, encoding: 'utf8'})
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name))
    .filter((path) => /\bView\b.*=/.test(readFileSync(path, 'utf8')))
  const found = new Map<string, View>()
  for (const path of files) {
    const exported = (await import(pathToFileURL(path).href)) as Readonly<Record<string, unknown>>
    for (const [name, value] of Object.entries(exported)) if (isView(value)) found.set(name, value)
  }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)))
}

const isView = (value: unknown): value is View =>
  typeof value === 'object' && value !== null && 'columns' in value && Array.isArray(value.columns)
