import type {UpdateAction} from '../../domain/action.js'
import {desiredOf, type Members} from '../../domain/customers/before-image.js'
import type {Customer} from '../../domain/customers/customer.js'
import {difference} from '../../domain/customers/diff.js'
import {Expected} from '../../domain/errors.js'
import type {CheckedRow} from '../check/checked-rows.js'
import {linesBackwards} from '../files/lines.js'
import type {ImageReader, KeptImage} from '../jobs/before-images.js'
import {parsedLine} from '../jobs/journal.js'
import type {RowLine} from '../jobs/journal-lines.js'
import {type CustomerCalls, expandedReferences, findEvery} from '../send/customer-calls.js'
import type {Sender} from '../send/sender.js'

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
export type PlannedUndo = {readonly row: UndoneRow} & (
  | {readonly kind: 'delete'}
  | {
      readonly kind: 'restore'
      readonly current: Customer
      readonly actions: readonly UpdateAction[]
      readonly before: Members
      /** Members that stay as the job left them, since nothing brings them back. */
      readonly stays: readonly string[]
    }
  /** The customer is gone, or is already as it was. */
  | {readonly kind: 'unchanged'}
  | {readonly kind: 'conflict'; readonly code: string; readonly message: string}
)

export interface PlanUndoOptions {
  readonly calls: CustomerCalls
  readonly sender: Sender
  readonly images: Pick<ImageReader, 'at'>
}

/** Looks at the customers of many rows with few requests, and decides. */
export async function planUndone(
  rows: readonly UndoneRow[],
  {calls, sender, images}: PlanUndoOptions,
): Promise<readonly PlannedUndo[]> {
  const wanted = {member: 'id', values: rows.map(({id}) => id), expand: expandedReferences} as const
  const found = new Map((await findEvery(calls, sender, wanted)).map((one) => [one.id, one] as const))
  return Promise.all(
    rows.map(async (row) => {
      const image = row.image === undefined ? undefined : await images.at(row.image, row.id)
      return decided(row, found.get(row.id), image)
    }),
  )
}

const changedSince = ({version}: UndoneRow, current: Customer) => ({
  kind: 'conflict' as const,
  code: 'ChangedSince',
  message: `Somebody has changed the customer since: it is at version ${current.version}, and the job left it at ${version ?? 'another'}.`,
})

function decided(row: UndoneRow, current: Customer | undefined, image: KeptImage | undefined): PlannedUndo {
  if (row.was === 'created') {
    if (!current) return {row, kind: 'unchanged'}
    return current.version === row.version ? {row, kind: 'delete'} : {row, ...changedSince(row, current)}
  }
  if (!current)
    return {row, kind: 'conflict', code: 'ResourceNotFound', message: 'Somebody has deleted the customer since.'}
  if (!image) {
    const message = 'What the job replaced is not kept: it was too old, too much, or erased.'
    return {row, kind: 'conflict', code: 'NotKept', message}
  }
  const {actions, unreachable} = difference(current, desiredOf(image.before))
  const stays = [...new Set([...image.lost, ...unreachable])]
  const isOurs = current.version === row.version
  if (actions.length > 0) {
    if (!isOurs) return {row, ...changedSince(row, current)}
    return {row, kind: 'restore', current, actions, before: image.before, stays}
  }
  if (stays.length === 0 || !isOurs) return {row, kind: 'unchanged'}
  const message = `What the job changed cannot be taken back: ${stays.join(', ')}.`
  return {row, kind: 'conflict', code: 'NotRevocable', message}
}
