import {isObject} from '../../domain/equal.js'
import {draftShape} from './draft-shape.js'

/** Columns of a report beside the source's own. Reading a report back passes over all but `emptyColumn`. */
export const reportColumns = ['_line', '_outcome', '_code', '_message', '_correlationId', '_file', '_empty'] as const

/** Names members of a JSON row that were null or empty, separated by blanks; a cell cannot say so. */
export const emptyColumn = '_empty'

const reserved: ReadonlySet<string> = new Set(reportColumns)

export const isReportColumn = (column: string): boolean => reserved.has(column)

type Document = Readonly<Record<string, unknown>>

const isEmpty = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0)

const allFields = 'custom.fields'

/** Members of a draft that a document has only to say that there is nothing: an update takes them away. */
export function emptyMembers(document: Document): readonly string[] {
  const {custom} = document
  const fields = isObject(custom) ? custom['fields'] : undefined
  return [
    ...[...draftShape.keys()].filter((name) => Object.hasOwn(document, name) && isEmpty(document[name])),
    ...(isObject(fields) && Object.keys(fields).length === 0 ? [allFields] : []),
  ]
}

/** Puts such members back into the document of a reported row, unless it has a value for them by now. */
export function restoreEmpty(document: Record<string, unknown>, names: string): void {
  for (const name of names.split(' ')) {
    const {custom} = document
    if (name === allFields && isObject(custom)) document['custom'] = {fields: {}, ...custom}
    else if (draftShape.has(name) && !Object.hasOwn(document, name)) document[name] = null
  }
}
