import {JsonText, withJsonText} from '../../domain/json-text.js'
import {BoundedMap} from '../../work/bounded-map.js'
import {frozen} from '../adapter/frozen.js'
import type {Document} from '../store.js'
import {fromStored, isAsWritten} from './schema/text-form.js'

/** Characters of the longest document that is kept by its text; longer ones are parsed each time. */
const longest = 1 << 14

const kept = new BoundedMap<string, Document>(1_000)

/**
 * A document as the port hands it out, from a column. The same text is the same document, which need not be parsed again:
 * the text was read just now, so nothing is ever older than what the database says.
 */
export function frozenDocument(column: string): Document {
  const known = kept.get(column)
  if (known) return known
  const document = parsed(column)
  if (column.length <= longest) kept.set(column, document)
  return document
}

function parsed(column: string): Document {
  const document = frozen(fromStored(column) as Document)
  return isAsWritten(column) ? withJsonText(document, column) : document
}

/** The JSON of a document from a column, which is not parsed if it is what was written. */
export const storedText = (column: string): JsonText =>
  JsonText.of(isAsWritten(column) ? column : JSON.stringify(fromStored(column)))
