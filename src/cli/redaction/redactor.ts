import type {Redaction} from './redaction.js'

/** What a run needs of its redaction. */
export type Redactor = Pick<Redaction, 'on' | 'document' | 'learn' | 'text' | 'note' | 'error'>

/** Shows everything, and loads no table of fields. */
export const noRedaction: Redactor = {
  on: false,
  document: (value) => value,
  learn: () => undefined,
  text: (text) => text,
  note: (text) => text,
  error: (report) => report,
}
