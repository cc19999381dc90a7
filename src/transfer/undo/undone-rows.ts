import type {CheckedRow} from '../check/checked-rows.js'
import {linesBackwards} from '../files/lines.js'
import {parsedLine} from '../jobs/journal.js'
import type {RowLine} from '../jobs/journal-lines.js'

/** A row of a job that created or updated a customer, to be taken back. */
export interface UndoneRow extends CheckedRow {
  readonly id: string
  readonly was: 'created' | 'updated'
  /** The version that the job led to, if it is known. */
  readonly version: number | undefined
  /** The place of what the job replaced. */
  readonly image: number | undefined
}

const mapper: CheckedRow['mapper'] = {columnOf: (path) => path, isSecret: () => false}

/**
 * What a job wrote, the last first: an email that one row took over from another is given back before that one needs it.
 * `bytes`: where the journal's last whole line ends.
 */
export async function* undoneRows(journal: string, bytes: number, files: readonly string[]): AsyncGenerator<UndoneRow> {
  for await (const text of linesBackwards(journal, bytes)) {
    const line = parsedLine(text) as RowLine | undefined
    if (line === undefined || (line.outcome !== 'created' && line.outcome !== 'updated')) continue
    const {row: number, line: at, outcome: was, id, version, image} = line
    const file = files[line.file ?? 0]
    if (id === undefined || file === undefined) continue
    const place = {file, line: at}
    const row = {kind: 'document', place, number, document: {id, was}} as const
    yield {row, place, number, draft: {}, issues: [], mapper, id, was, version: versionOf(was, version), image}
  }
}

const versionOf = (was: UndoneRow['was'], version: number | undefined): number | undefined =>
  was === 'created' ? (version ?? 1) : version
