import {defined} from '../domain/equal.js'
import {InputError} from './files/input-error.js'
import {listsBegun, namesIn} from './input/json-envelope.js'
import {eachRow, type Source} from './input/row.js'
import {readRows} from './input/rows.js'
import {beginningOf} from './input/utf8-chunks.js'
import type {Mapping} from './mapping/mapping.js'
import type {PresetName} from './presets/preset-names.js'
import {presetByColumns, presetByXml, presetMapping, presetNamed} from './presets/presets.js'
import {type Runtime, systemRuntime} from './send/runtime.js'
import {checked, type Reading, type WholeMap} from './template/check.js'
import {commonMembers} from './template/columns.js'
import {proposed} from './template/map.js'
import {profileOf} from './template/profile.js'

/** A map to begin with, and the header of a table that needs none. */
export interface Template {
  /** What it leaves to a person stands in `decide`: an import refuses the map while it does. */
  readonly map: WholeMap
  /** Columns of a table whose names are the members themselves. */
  readonly header: readonly string[]
  /** Columns of the example for which no member was found. */
  readonly left: readonly string[]
  /** The preset that fits the example: it is the export of a shop. */
  readonly preset?: PresetName
}

/** The template of a table whose columns are named like the members that most tables have. */
export const plainTemplate = (): Template => {
  const columns = Object.fromEntries(commonMembers.map((member) => [member, member]))
  return {map: {columns, constants: {}, transforms: {}, aliases: {}}, header: commonMembers, left: []}
}

export interface TemplateChoice {
  /** Key of the type with the custom fields, such as `phone`. */
  readonly customType?: string | undefined
  /** Takes the export of a known shop for any file. */
  readonly withoutPreset?: boolean
  readonly runtime?: Runtime
}

/**
 * A template that fits a file: the map of a known shop, or columns by their names and the rest by reading the whole file.
 * What its own import would refuse stands in `decide`. Throws InputError for a file that cannot be read.
 *
 *     const {map, left, preset} = await templateFor((await openSources(['crm.csv'])).list)
 */
export async function templateFor(sources: readonly Source[], choice: TemplateChoice = {}): Promise<Template> {
  const {runtime = systemRuntime} = choice
  const seed = runtime.bytes(4).readUInt32BE()
  const reading = {sources, seed, today: new Date(runtime.now()).toISOString().slice(0, 10)}
  const layout = await layoutOf(sources[0])
  for await (const table of readRows(sources, layout)) {
    const {columns} = table
    const shop = async (names: readonly string[]) => (choice.withoutPreset ? undefined : ofShop(names, choice, reading))
    const known = columns && (await shop(columns))
    const profile = known ?? (await profileOf(table, seed))
    if ('map' in profile) return profile
    const byPaths = columns ? undefined : await shop([...profile.columns.keys()])
    if (byPaths) return byPaths
    const {map, left} = proposed(profile, choice.customType)
    const whole = await checked({...layout, ...map}, reading)
    return {map: whole, header: Object.values(map.columns).flat(), left}
  }
  return plainTemplate()
}

async function ofShop(
  columns: readonly string[],
  choice: TemplateChoice,
  reading: Reading,
): Promise<Template | undefined> {
  const [source] = reading.sources
  // XML has no header; what it begins with says whose it is.
  const byXml = source?.format === 'xml' ? presetByXml((await beginningOf(source)).slice(0, 4096)) : undefined
  const preset = byXml ?? presetByColumns(columns)
  if (preset === undefined) return undefined
  const {columns: named = {}, ...more} = presetMapping(presetNamed(preset), defined({customType: choice.customType}))
  try {
    return {map: await checked({columns: named, ...more}, reading), header: [], left: [], preset}
  } catch (error) {
    if (error instanceof InputError) return undefined
    throw error
  }
}

/** What a template says of how a document is read: where its rows are, and which of their lists are of names and values. */
async function layoutOf(source: Source | undefined): Promise<Pick<Mapping, 'rows' | 'names'>> {
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
