import type {DocumentModel} from '../output/known-fields.js'

/** How a kind of document looks to people. Programs get the document itself. */
export interface View {
  /** Columns of a list. */
  readonly columns: readonly Column[]
  /** Lines of a single document; absent: every leaf of the document. */
  readonly card?: readonly Column[]
  /** What `-o ids` prints. Absent: `id`. */
  readonly id?: string
  /** What the documents may have, to refuse other `--fields`. Absent: anything. */
  readonly model?: () => Promise<DocumentModel>
}

export interface Column {
  readonly header: string
  /** A dotted path, or a function of the document. */
  readonly value: string | ((document: unknown) => unknown)
}

export const column = (header: string, value: Column['value'] = header): Column => ({header, value})

/** The view of what was written: it is shown whatever `--fields` says, since it has happened. */
export const withoutModel = ({model: _, ...view}: View): View => view

export const forms = ['table', 'card', 'json', 'jsonl', 'csv', 'yaml', 'ids'] as const
export type Form = (typeof forms)[number]

/** Settings of the rendering. */
export interface Style {
  /** Whether the output goes to a terminal: boxes, truncation and sanitized text. */
  readonly terminal: boolean
  readonly columns: number
  readonly colour: boolean
  readonly header: boolean
  /** Paths chosen with `--fields`. */
  readonly fields?: readonly string[]
  /** Guards cells of a CSV against being read as formulas. */
  readonly excelSafe?: boolean
}
