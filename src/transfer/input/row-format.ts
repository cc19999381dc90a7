import {basename, extname} from 'node:path'
import {listBegun} from './json-envelope.js'

export type RowFormat = 'csv' | 'json' | 'jsonl' | 'xml'

const byExtension: ReadonlyMap<string, RowFormat> = new Map([
  ['.csv', 'csv'],
  ['.tsv', 'csv'],
  ['.txt', 'csv'],
  ['.json', 'json'],
  ['.jsonl', 'jsonl'],
  ['.ndjson', 'jsonl'],
  ['.xml', 'xml'],
])

/** What the name of a file says of its rows, also if they are compressed. */
export const formatByName = (path: string): RowFormat | undefined =>
  byExtension.get(extname(basename(path).toLowerCase().replace(/\.gz$/, '')))

/**
 * What the beginning of a text says of its rows: `[` begins an array, a whole object on the first line a line of JSON,
 * an object over several lines a document, `<` XML, and anything else is a table. A page of results is read as JSON even
 * if the file is named .jsonl.
 */
export function formatByContent(head: string, named?: RowFormat): RowFormat {
  const text = head.trimStart()
  const isObject = text.startsWith('{')
  if (named === 'csv') return named
  const list = isObject ? listBegun(text.slice(0, Math.max(0, text.indexOf('['))), 1) : undefined
  if (list?.isEnveloped && list.path === 'results') return 'json'
  if (named !== undefined) return named
  if (text.startsWith('[')) return 'json'
  if (/^<[?!A-Za-z]/.test(text)) return 'xml'
  if (!isObject) return 'csv'
  const [first = '', second = ''] = text.split(/\r?\n\s*/, 2)
  if (list?.isEnveloped && !second.startsWith('{')) return 'json'
  // Whether the first line may also end the object, right or wrong.
  return /[}\]]\s*$/.test(first) || !text.includes('\n') ? 'jsonl' : 'json'
}
