import {frozen} from '../adapter/frozen.js'
import type {Document} from '../store.js'
import {fromStored} from './schema/text-form.js'

/** A document as the port hands it out, from a column. */
export const frozenDocument = (column: string): Document => frozen(fromStored(column) as Document)
