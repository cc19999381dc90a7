import {JsonText, withJsonText} from '../../domain/json-text.js'
import {frozen} from '../adapter/frozen.js'
import type {Document} from '../store.js'
import {fromStored, isAsWritten} from './schema/text-form.js'

/** Characters of documents that are kept by their text: a few thousand customers. */
const mostCharacters = 4 << 20
/** Longer ones are parsed each time. */
const longest = 1 << 16

/** Documents by their text, and those of the time before; what neither has been asked for since is dropped. */
let recent = new Map<string, Document>()
let former = new Map<string, Document>()
let characters = 0

/**
 * A document as the port hands it out, from a column. The same text is the same document, which need not be parsed again:
 * the text was read just now, so nothing is ever older than what the database says.
 */
export function frozenDocument(column: string): Document {
  const known = recent.get(column)
  if (known) return known
  const document = former.get(column) ?? parsed(column)
  if (column.length > longest) return document
  if (characters > mostCharacters) {
    former = recent
    recent = new Map()
    characters = 0
  }
  characters += column.length
  recent.set(column, document)
  return document
}

function parsed(column: string): Document {
  const document = frozen(fromStored(column) as Document)
  return isAsWritten(column) ? withJsonText(document, column) : document
}

/** The JSON of a document from a column, which is not parsed if it is what was written. */
export const storedText = (column: string): JsonText =>
  JsonText.of(isAsWritten(column) ? column : JSON.stringify(fromStored(column)))
