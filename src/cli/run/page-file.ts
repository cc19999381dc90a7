import {extname} from 'node:path'
import {usage} from '../process/failure.js'
import {beside, type Run} from './run.js'

/** Whether a report is to be a page for people; every other name means what it always meant. */
export const isPage = (path: string | undefined): path is string =>
  path !== undefined && /^\.html?$/i.test(extname(path))

/** The file of a page. Throws usage for a name that says something else. */
export function pageFile(path: string): string {
  if (isPage(path)) return path
  throw usage(`--report ${path} is no page.`, 'Name a file that ends with .html.')
}

/** Writes a page so that it appears whole, readable by its owner only. A page of before is replaced. */
export const writePage = (run: Run, path: string, text: string): Promise<void> =>
  beside(run, `write ${path}`, () => {
    run.files.result(path, text, '')
  })
