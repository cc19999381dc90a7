import {existsSync} from 'node:fs'
import type {Customer} from '../../domain/customers/customer.js'
import type {Written} from '../../domain/customers/written.js'
import {defined} from '../../domain/equal.js'
import {Expected} from '../../domain/errors.js'
import {type CheckedRow, rowNameOf} from '../check/checked-rows.js'
import {linesBackwards} from '../files/lines.js'
import type {Place} from '../input/row.js'
import {type ImageReader, imagesPath, type KeptImage, openImages} from '../jobs/before-images.js'
import {journalPath, type StoredJob} from '../jobs/jobs.js'
import {parsedLine} from '../jobs/journal.js'
import type {RowLine} from '../jobs/journal-lines.js'
import {jobStates} from '../jobs/states.js'
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
  /** Nobody noted its end. */
  readonly isOpen?: true
}

const mapper: CheckedRow['mapper'] = {columnOf: (path) => path, isSecret: () => false, covers: undefined}

/**
 * What a job wrote, the last first: an email that one row took over from another is given back before that one needs it.
 * Before them the updates whose end nobody noted, as far as there is a before-image: without one, nothing was sent.
 */
export async function* undoneRows(
  dir: string,
  {header, bytes, progress}: StoredJob,
): AsyncGenerator<readonly UndoneRow[]> {
  const files = header.files.map(({name}) => name)
  const rowOf = (number: number, place: Place, own: Omit<UndoneRow, keyof CheckedRow>): UndoneRow => {
    const row = {kind: 'document', place, number, document: {id: own.id, was: own.was}} as const
    return {row, place, number, draft: {}, issues: [], mapper, ...own}
  }
  const open = await openImages(imagesPath(dir, header.job), (row) => progress.intended(row) === 'update')
  yield [...open].reverse().map(([number, {image, at}]) => {
    const was = {id: image.id, was: 'updated', version: undefined, image: at, isOpen: true} as const
    return rowOf(number, {file: files[0] ?? '', line: number}, was)
  })
  for await (const text of linesBackwards(journalPath(dir, header.job), bytes)) {
    const line = parsedLine(text) as RowLine | undefined
    if (line === undefined || (line.outcome !== 'created' && line.outcome !== 'updated')) continue
    const {outcome: was, id, image} = line
    const version = was === 'created' ? (line.version ?? 1) : line.version
    const file = files[line.file ?? 0]
    if (id === undefined || file === undefined) continue
    yield [rowOf(line.row, {file, line: line.line}, {id, was, version, image})]
  }
}

/** The rows that may have been sent, and of which nothing proves it. */
export function openOf(dir: string, {header, state, counts, progress}: StoredJob) {
  const hasImages = counts.updated === 0 || existsSync(imagesPath(dir, header.job))
  const open = progress.open('create') + (hasImages ? 0 : progress.open('update'))
  return {open, ...(open > 0 ? {openNext: jobStates[state].open} : {})}
}

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
      if (current && image && hasRestored(row.number, current.version)) return goneOn(row, current, image)
      const isOurs =
        current !== undefined &&
        (await (row.isOpen && image ? earlier.isBetween(current, image) : earlier.isAt(current, row.version)))
      return decided(row, current, image, isOurs)
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

/** `isOurs`: the customer is at the version that the job left, or at one whose state later undos brought back. */
function decided(
  row: UndoneRow,
  current: Customer | undefined,
  image: KeptImage | undefined,
  isOurs: boolean,
): PlannedUndo {
  if (row.was === 'created') {
    if (!current) return {row, kind: 'unchanged'}
    if (isOurs) return {row, kind: 'delete', version: current.version}
    return {row, ...customerChanged(current, row.version)}
  }
  if (!current && row.isOpen) return {row, kind: 'unchanged'}
  if (!current)
    return {row, kind: 'conflict', code: 'ResourceNotFound', message: 'Somebody has deleted the customer since.'}
  if (!image) {
    const message = 'What the job replaced is not kept: it was too old, too much, or erased.'
    return {row, kind: 'conflict', code: 'NotKept', message}
  }
  const restored = restoration(current, image, {isOurs, left: row.version})
  return {row, ...(restored.kind === 'conflict' ? {} : defined({written: image.written})), ...restored}
}
