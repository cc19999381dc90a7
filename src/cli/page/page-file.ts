import {extname} from 'node:path'
import {usage} from '../process/failure.js'

/** Whether a report is to be a page for people; every other name means what it always meant. */
export const isPage = (path: string | undefined): path is string =>
  path !== undefined && /^\.html?$/i.test(extname(path))

/** The file of a page. Throws usage for a name that says something else. */
export function pageFile(path: string): string {
  if (isPage(path)) return path
  throw usage(`--report ${path} is no page.`, 'Name a file that ends with .html.')
}

/** Writes a page so that it appears whole, readable by its owner only. A page of before is replaced. */
export async function writePage(path: string, text: string): Promise<void> {
  const {createPrivateFile} = await import('../../transfer/output/private-file.js')
  const file = await createPrivateFile(path, {replace: true})
  try {
    await file.write(text)
    await file.finish()
  } finally {
    await file.discard()
  }
}
