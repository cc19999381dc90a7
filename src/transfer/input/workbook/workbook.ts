import {posix} from 'node:path'
import {InputError} from '../../files/input-error.js'
import type {StoredFile} from '../container/stored-bytes.js'
import {refuseArchive} from '../container/unsupported.js'
import {localName} from '../xml.js'
import {type Archive, damaged, openArchive, readXml} from './archive.js'

export interface Sheet {
  readonly name: string
  /** The part of the archive with its rows. */
  readonly part: string
  readonly isHidden: boolean
}

export type Workbook = Awaited<ReturnType<typeof openWorkbook>>

async function relationsOf(archive: Archive, part: string) {
  const folder = posix.dirname(part)
  const relations = new Map<string, {readonly type: string; readonly part: string}>()
  const list = posix.join(folder, '_rels', `${posix.basename(part)}.rels`)
  if (!archive.has(list)) return relations
  await readXml(archive, list, {
    open: (name, {Id = '', Type = '', Target = ''}) => {
      if (name !== 'Relationship') return
      const target = Target.startsWith('/') ? Target.slice(1) : posix.join(folder, Target)
      relations.set(Id, {type: posix.basename(Type), part: target})
    },
  })
  return relations
}

/** Opens a workbook. Throws InputError for other archives, by name, and for damaged ones. */
export async function openWorkbook(file: StoredFile) {
  const archive = await openArchive(file)
  try {
    const root = [...(await relationsOf(archive, '')).values()]
    const main = root.find(({type}) => type === 'officeDocument')?.part ?? 'xl/workbook.xml'
    if (!archive.has(main) || !/workbook\d*\.xml$/i.test(main))
      refuseArchive(file.name, archive.names, await mimetypeOf(archive))
    return {archive, ...(await contentsOf(archive, main))}
  } catch (error) {
    archive.close()
    throw error
  }
}

async function contentsOf(archive: Archive, main: string) {
  const relations = await relationsOf(archive, main)
  /** In the order of the tabs. */
  const sheets: Sheet[] = []
  let startsIn1904 = false
  await readXml(archive, main, {
    open: (name, attributes) => {
      if (name === 'workbookPr') startsIn1904 = /^(?:1|true)$/.test(attributes['date1904'] ?? '')
      if (name !== 'sheet') return
      const {name: sheet = '', state = 'visible'} = attributes
      const id = Object.keys(attributes).find((attribute) => localName(attribute) === 'id') ?? ''
      const relation = relations.get(attributes[id] ?? '')
      // Charts have tabs of their own.
      if (relation?.type === 'worksheet') sheets.push({name: sheet, part: relation.part, isHidden: state !== 'visible'})
    },
  })
  if (sheets.length === 0) throw damaged(archive.file, new Error('it has no sheet'))
  const all = [...relations.values()]
  const partOf = (type: string) => all.find((relation) => relation.type === type && archive.has(relation.part))?.part
  return {sheets, strings: partOf('sharedStrings'), styles: partOf('styles'), startsIn1904}
}

async function mimetypeOf(archive: Archive): Promise<string> {
  if (!archive.has('mimetype')) return ''
  for await (const chunk of (await archive.stream('mimetype')) as AsyncIterable<Buffer>) return chunk.toString('latin1')
  return ''
}

/**
 * A sheet by its name, or by its place among the tabs that a reader sees, from 1; the first of these, and why, if none is
 * named. Throws InputError with the names.
 */
export function chosenSheet(
  {archive, sheets}: Workbook,
  named: string | undefined,
): {readonly sheet: Sheet; readonly because?: string} {
  const visible = sheets.filter(({isHidden}) => !isHidden)
  const [first = sheets[0]] = visible
  if (named === undefined && first) {
    return visible.length > 1 ? {sheet: first, because: `it is the first of ${visible.length}`} : {sheet: first}
  }
  const fold = (name: string): string => name.trim().toLowerCase()
  const found =
    sheets.find(({name}) => name === named) ??
    sheets.find(({name}) => fold(name) === fold(named ?? '')) ??
    (/^\d+$/.test(named ?? '') ? visible[Number(named) - 1] : undefined)
  if (found) return {sheet: found}
  const names = sheets.slice(0, 20).map(({name, isHidden}) => `'${name}'${isHidden ? ' (hidden)' : ''}`)
  throw new InputError(`${archive.file.name} has no sheet '${named}'.`, {
    file: archive.file.name,
    remedy: `It has ${names.join(', ')}${sheets.length > names.length ? ', …' : ''}. Choose one with --sheet NAME or its number.`,
  })
}
