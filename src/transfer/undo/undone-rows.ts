import type {CheckedRow} from '../check/checked-rows.js'
import {linesBackwards} from '../files/lines.js'
import type {Source} from '../input/source.js'
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

/** The files of a job as its journal names them; nobody reads them again. */
export const sourcesOf = (files: readonly {readonly name: string; readonly bytes: number}[]): readonly Source[] =>
  files.map(({name, bytes}) => ({name, bytes, path: name, format: 'jsonl', encoding: 'utf-8', stamp: ''}))

/**
 * What a job wrote, the last first: an email that one row took over from another is given back before that one needs it.
 * `bytes`: where the journal's last whole line ends.
 */
export async function* undoneRows(
  journal: string,
  bytes: number,
  sources: readonly Source[],
): AsyncGenerator<UndoneRow> {
  for await (const text of linesBackwards(journal, bytes)) {
    const line = parsedLine(text) as RowLine | undefined
    if (line === undefined || (line.outcome !== 'created' && line.outcome !== 'updated')) continue
    const {row: number, line: at, outcome: was, id, version, image} = line
    const source = sources[line.file ?? 0]
    if (id === undefined || source === undefined) continue
    const place = {source, line: at, number}
    const row = {kind: 'document', place, document: {id, was}} as const
    yield {row, place, draft: {}, issues: [], mapper, id, was, version: versionOf(was, version), image}
  }
}

const versionOf = (was: UndoneRow['was'], version: number | undefined): number | undefined =>
  was === 'created' ? (version ?? 1) : version
