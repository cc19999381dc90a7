import {type JsonText, jsonOf} from '../../../domain/json-text.js'
import type {Document} from '../../store.js'
import type {Entry} from '../directory/entry.js'

/** What a reading hands out of an entry that it found. */
export type Shown<T> = (found: Pick<Entry, 'id' | 'doc'> | Entry) => T

export const asDocument: Shown<Document> = ({doc}) => doc

/** Of what a sort has kept only the document is there. */
export const asText: Shown<JsonText> = (found) => ('text' in found ? found.keptText() : jsonOf(found.doc))
