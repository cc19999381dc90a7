import type {SchemaParts} from '../../domain/shape-of.js'

/** How a kind of document looks to people. Programs get the document itself. */
export interface View {
  /** Columns of a list, the most important first: where a terminal is too narrow for all, the last ones go. */
  readonly columns: readonly Column[]
  /** What people see first where no `--sort` says another order. */
  readonly first?: (document: unknown) => boolean
  /** Lines of a single document; absent: every leaf of the document. */
  readonly card?: readonly Column[]
  /** What `-o ids` prints. Absent: `id`. */
  readonly id?: string
  /** What the documents may have, to refuse other `--fields`. Absent: anything. */
  readonly model?: () => Promise<SchemaParts>
}

/** One column of a list. */
export interface Column {
  readonly header: string
  /** A dotted path, or a function of the document. */
  readonly value: string | ((document: unknown) => unknown)
  /**
   * `whole`: never cut nor left out, since the next command needs it. `cut`: may be cut, is never left out. `wrap`: never
   * cut nor left out, and broken into lines. `uncut`: left out before it is cut. Absent: may be cut, and left out where the terminal is too narrow.
   */
  readonly keep?: 'whole' | 'cut' | 'wrap' | 'uncut'
  /** The value is a moment, ISO 8601: on a terminal, relative to now; `clock`: to the minute; `end`: says what has run out. */
  readonly moment?: true | 'clock' | 'end'
  /** The header of the column whose value stands in for a missing one here, once that column is left out. */
  readonly fallbackColumn?: string
}

export const column = (header: string, value: Column['value'] = header, traits: Partial<Column> = {}): Column => ({
  header,
  value,
  ...traits,
})

/** A column that the next command needs, such as a key. */
export const whole = (header: string, value: Column['value'] = header): Column => column(header, value, {keep: 'whole'})

/** A column of identifiers that the next command may need: never cut, since a part of one is useless. */
export const identifier = (header: string, value: Column['value'] = header): Column =>
  column(header, value, {keep: 'uncut'})

/** A column that is cut before it is left out, such as a name. */
export const kept = (header: string, value: Column['value'] = header): Column => column(header, value, {keep: 'cut'})

/** A column whose values are read, and so broken into lines where they do not fit. */
export const wrapping = (header: string, value: Column['value'] = header): Column =>
  column(header, value, {keep: 'wrap'})

/** A column of moments. */
export const moment = (header: string, value: Column['value'] = header): Column => column(header, value, {moment: true})

/** The view of what was written: it is shown whatever `--fields` says, since it has happened. */
export const withoutModel = ({model: _, ...view}: View): View => view

interface FormTraits {
  /** What `frontdesk help output` says of it. */
  readonly summary: string
  /** Its first line names the columns; `--no-header` leaves that out. */
  readonly hasHeader?: true
  /** Spreadsheets read it: `--excel-safe` guards its cells. */
  readonly hasCells?: true
  /** It shows the wrapper of a page, with its counts. */
  readonly hasWrapper?: true
  /** Names of files that choose it, by their ends. */
  readonly extensions?: readonly string[]
}

const traits = {
  table: {summary: 'rows in columns; fitted to a terminal, plain and whole elsewhere', hasHeader: true},
  card: {summary: 'one document, a line for each value'},
  json: {
    summary: 'exactly one JSON document, also in failure; --json means the same',
    hasWrapper: true,
    extensions: ['.json'],
  },
  jsonl: {summary: 'one document a line, streamed', extensions: ['.jsonl', '.ndjson']},
  csv: {
    summary: 'RFC 4180 with a header, nested values at paths such as addresses.0.city',
    hasHeader: true,
    hasCells: true,
    extensions: ['.csv'],
  },
  yaml: {summary: 'the document as YAML', hasWrapper: true, extensions: ['.yaml', '.yml']},
  ids: {summary: 'one id a line, for another command, as in: customers query -o ids | frontdesk customers get -'},
} as const satisfies Readonly<Record<string, FormTraits>>

export type Form = keyof typeof traits
export const formTraits: Readonly<Record<Form, FormTraits>> = traits
export const forms = Object.keys(traits) as Form[]

const formsWith = (trait: 'hasHeader' | 'hasCells'): string =>
  forms
    .filter((form) => formTraits[form][trait])
    .map((form) => `-o ${form}`)
    .join(' or ')

/** What a refusal of `--no-header` or `--excel-safe` advises. */
export const formAdvice = {hasHeader: `Add ${formsWith('hasHeader')}.`, hasCells: `Add ${formsWith('hasCells')}.`}

export interface Style {
  /** Whether the output goes to a terminal: fitted to its width, and sanitized. */
  readonly terminal: boolean
  /** Whether the terminal has ASCII only, or no more than lines of text: no rules, and `...` where text is cut. */
  readonly plain?: boolean
  readonly columns: number
  /** Milliseconds since the epoch, for moments in words. */
  readonly now: number
  readonly colour: boolean
  readonly header: boolean
  /** Paths chosen with `--fields`. */
  readonly fields?: readonly string[]
  /** Called with the columns that were left out for lack of room. */
  readonly onHidden?: (headers: readonly string[]) => unknown
  /** Guards cells of a CSV against being read as formulas. */
  readonly excelSafe?: boolean
}
