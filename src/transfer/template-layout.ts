import {defined} from '../domain/equal.js'
import {listsBegun, namesIn} from './input/json-envelope.js'
import {eachRow, type Source} from './input/row.js'
import {readRows} from './input/rows.js'
import {utf8Chunks} from './input/utf8-chunks.js'
import type {Mapping} from './mapping/mapping.js'

type Layout = Pick<Mapping, 'rows' | 'names'>

/** What a template says of how a document is read: where its rows are, and which of their lists are of names and values. */
export async function layoutOf(source: Source | undefined): Promise<Layout> {
  if (!source || !/^json/.test(source.format)) return {}
  const rows = source.format === 'json' ? await innerRows(source) : undefined
  const names = await namesOfFirst(source, rows)
  return defined({rows, names: names.length > 0 ? Object.fromEntries(names) : undefined})
}

/** What services call a list of what was asked for. */
const rowsNames = /(?:customers?|users|accounts|contacts|people|data|items|results|records|edges|nodes|resources)$/i

/** The list of a document that may be the rows, unless it is found without a word. */
async function innerRows(source: Source): Promise<string | undefined> {
  for await (const chunk of utf8Chunks(source)) {
    const lists = listsBegun(chunk.toString('utf8')).filter(({isEnveloped}) => isEnveloped)
    const list = lists.find(({path}) => rowsNames.test(path)) ?? lists[0]
    return list && (lists.length > 1 || list.path.includes('.')) ? list.path : undefined
  }
  return undefined
}

async function namesOfFirst(source: Source, rows: string | undefined): Promise<[string, string][]> {
  for await (const table of readRows([source], {rows}))
    for await (const row of eachRow(table.pieces)) return row.kind === 'document' ? namesIn(row.document) : []
  return []
}
