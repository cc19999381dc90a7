import type {Customer} from '../../domain/customers/customer.js'
import type {Written} from '../../domain/customers/written.js'
import {defined} from '../../domain/equal.js'
import {Expected} from '../../domain/errors.js'
import type {CheckedRow} from '../check/checked-rows.js'
import {rowNameOf} from '../check/row-names.js'
import {linesBackwards} from '../files/lines.js'
import type {ImageReader, KeptImage} from '../jobs/before-images.js'
import {parsedLine} from '../jobs/journal.js'
import type {RowLine} from '../jobs/journal-lines.js'
import {type CustomerCalls, expandedReferences, findEvery} from '../send/customer-calls.js'
import type {Sender} from '../send/sender.js'
import type {EarlierVersions} from './earlier-versions.js'
import {customerChanged, type Restoration, restoration} from './restoration.js'

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

/** There is nothing to take back: the job was taken back before, or took another back itself. */
export class NothingToUndo extends Expected {
  override readonly name = 'NothingToUndo'

  constructor(message: string, remedy: string) {
    super('notFound', 'NothingToUndo', message, {hints: [remedy]})
  }
}

/** How a row of a job is taken back. */
export type PlannedUndo = {
  readonly row: UndoneRow
  /** What runs had written of the customer before the job. */
  readonly written?: Written
} & (
  | {readonly kind: 'delete'; readonly version: number}
  | Exclude<Restoration, {kind: 'unchanged'}>
  /** The customer is gone, or as it was. `version`: the undo itself has led there, before it was killed. */
  | {readonly kind: 'unchanged'; readonly version?: number; readonly back?: number}
)

export interface PlanUndoOptions {
  readonly calls: CustomerCalls
  readonly sender: Sender
  readonly images: Pick<ImageReader, 'at'>
  readonly earlier: EarlierVersions
  /** Whether this undo has led to the version of a customer, in a run that was killed. */
  readonly hasRestored: (row: number, version: number) => boolean
}

/** Looks at the customers of many rows with few requests, and decides. */
export async function planUndone(
  rows: readonly UndoneRow[],
  {calls, sender, images, earlier, hasRestored}: PlanUndoOptions,
): Promise<readonly PlannedUndo[]> {
  const wanted = {member: 'id', values: rows.map(({id}) => id), expand: expandedReferences} as const
  const found = new Map((await findEvery(calls, sender, wanted)).map((one) => [one.id, one] as const))
  return Promise.all(
    rows.map(async (undone) => {
      const image = undone.image === undefined ? undefined : await images.at(undone.image, undone.id)
      const current = found.get(undone.id)
      // A person looks for the customer: the row may be of a file that is gone.
      const row = {...undone, place: {...undone.place, customer: rowNameOf(current ?? {id: undone.id})}}
      const version = current && (await earlier.of(current, row.version))
      if (current && image && hasRestored(row.number, current.version)) return goneOn(row, current, image)
      return decided(row, current, image, version)
    }),
  )
}

/** A customer whom this undo has restored, or a part of it. */
function goneOn(row: UndoneRow, current: Customer, image: KeptImage): PlannedUndo {
  const restored = restoration(current, image, {isOurs: true, left: row.version})
  const {written, version: back} = image
  if (restored.kind === 'restore') return {row, ...defined({written}), ...restored}
  const isWhole = restored.kind === 'unchanged'
  return {row, kind: 'unchanged', version: current.version, ...defined({written, back: isWhole ? back : undefined})}
}

/** `version`: that of the customer, or the one whose state later undos brought back. */
function decided(
  row: UndoneRow,
  current: Customer | undefined,
  image: KeptImage | undefined,
  version: number | undefined,
): PlannedUndo {
  const isOurs = version === row.version
  if (row.was === 'created') {
    if (!current) return {row, kind: 'unchanged'}
    if (isOurs) return {row, kind: 'delete', version: current.version}
    return {row, ...customerChanged(current, row.version)}
  }
  if (!current)
    return {row, kind: 'conflict', code: 'ResourceNotFound', message: 'Somebody has deleted the customer since.'}
  if (!image) {
    const message = 'What the job replaced is not kept: it was too old, too much, or erased.'
    return {row, kind: 'conflict', code: 'NotKept', message}
  }
  const restored = restoration(current, image, {isOurs, left: row.version})
  return {row, ...(restored.kind === 'conflict' ? {} : defined({written: image.written})), ...restored}
}
