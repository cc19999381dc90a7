import {defined} from '../../domain/equal.js'
import {listsBegun, namesIn} from '../input/json-envelope.js'
import {eachRow, type Source} from '../input/row.js'
import {readRows} from '../input/rows.js'
import {beginningOf} from '../input/utf8-chunks.js'
import type {Mapping} from '../mapping/mapping.js'

type Layout = Pick<Mapping, 'rows' | 'names'>

/** What a template says of how a document is read: where its rows are, and which of their lists are of names and values. */
export async function layoutOf(source: Source | undefined): Promise<Layout> {
  if (source?.format === 'xml') return defined({rows: person.exec(await beginningOf(source))?.[1]})
  if (!source || !/^json/.test(source.format)) return {}
  const rows = source.format === 'json' ? await innerRows(source) : undefined
  const names = await namesOfFirst(source, rows)
  return defined({rows, names: names.length > 0 ? Object.fromEntries(names) : undefined})
}

/** What services call a list of what was asked for. */
const rowsNames = /(?:customers?|users|accounts|contacts|people|data|items|results|records|edges|nodes|resources)$/i

/** The list of a document that may be the rows, unless it is found without a word. */
async function innerRows(source: Source): Promise<string | undefined> {
  const text = await beginningOf(source)
  const members = memberRows(text)
  if (members !== undefined) return members
  const lists = listsBegun(text).filter(({isEnveloped}) => isEnveloped)
  const list = lists.find(({path}) => rowsNames.test(path)) ?? lists[0]
  return list && (lists.length > 1 || list.path.includes('.')) ? list.path : undefined
}

/** The object whose members are people, such as users by their ids: at least two, and nothing else beside them. */
function memberRows(text: string): string | undefined {
  const open: {path: string; hasEmail: boolean; people: number; isMixed: boolean}[] = []
  let [name, lists] = ['', 0]
  for (const [token, string, colon] of text.matchAll(/"((?:[^"\\]|\\.)*)"\s*(:)?|[{}[\]]|[^\s{}[\],":]+/g)) {
    const own = open.at(-1)
    if (token === '[') lists += 1
    else if (token === ']') lists -= 1
    if (lists > 0) continue
    if (colon !== undefined) name = string ?? ''
    if (colon !== undefined && own) own.hasEmail ||= /mail/i.test(name)
    else if (token === '{') {
      const path = own && own.path !== '' ? `${own.path}.${name}` : open.length > 0 ? name : ''
      open.push({path, hasEmail: false, people: 0, isMixed: false})
    } else if (token === '}') {
      open.pop()
      const outer = open.at(-1)
      if (outer && own?.hasEmail) outer.people += 1
      else if (outer) outer.isMixed = true
      if (outer && outer.people > 1 && !outer.isMixed) return outer.path === '' ? '*' : `${outer.path}.*`
    } else if (own) own.isMixed = true
  }
  return undefined
}

/** An element of XML with a name for a person. */
const person = /<(?:[\w-]+:)?(customer|user|account|contact|person|client|member|record|row|item|entry)[\s/>]/i

async function namesOfFirst(source: Source, rows: string | undefined): Promise<[string, string][]> {
  for await (const table of readRows([source], {rows}))
    for await (const row of eachRow(table.pieces)) return row.kind === 'document' ? namesIn(row.document) : []
  return []
}
