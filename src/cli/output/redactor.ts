import type {Redaction} from './redaction.js'

/** The part of `Redaction` that a run uses. */
export type Redactor = Pick<Redaction, 'on' | 'document' | 'learn' | 'text' | 'note' | 'error'>

/** Redaction switched off, without loading the table of fields. */
export const noRedaction: Redactor = {
  on: false,
  document: (value) => value,
  learn: () => undefined,
  text: (text) => text,
  note: (text) => text,
  error: (report) => report,
}
