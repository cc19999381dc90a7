import {readdirSync, readFileSync} from 'node:fs'
import {extname, join} from 'node:path'
import {shipped} from '../../files/shipped.js'

interface PageFile {
  readonly type: string
  readonly text: string
}

const types = new Map([
  ['.html', 'text/html'],
  ['.css', 'text/css'],
  ['.mjs', 'text/javascript'],
])

let files: ReadonlyMap<string, PageFile> | undefined

/** The files of the page by their path below the window, read once; the page itself has none. */
export function pageFiles(): ReadonlyMap<string, PageFile> {
  files ??= new Map(read(shipped('src', 'server', 'window', 'page')))
  return files
}

const read = (folder: string): [string, PageFile][] =>
  readdirSync(folder).flatMap((name): [string, PageFile][] => {
    const type = types.get(extname(name))
    if (type === undefined) return []
    return [[name === 'index.html' ? '' : `/${name}`, {type, text: readFileSync(join(folder, name), 'utf8')}]]
  })
