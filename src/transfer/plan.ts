import type {Client} from '../client/client.js'
import type {Place, Source} from './input/row.js'
import type {LocatedIssue} from './run/events.js'
import {ImportRun} from './run/import-run.js'
import type {BulkOptions} from './run/options.js'
import {batchesOf} from './send/batches.js'
import {identityText, type Planned} from './write/plan-row.js'

export type PlanKind = Planned['kind']

export interface PlannedRow extends Place {
  /** By what the row finds its customer. */
  readonly identity: string
  readonly actions?: readonly string[]
  readonly reason?: string
}

/** What a run would do. `invalid` rows are those that it would leave out. */
export interface PlanResult {
  readonly read: number
  readonly create: number
  readonly update: number
  readonly unchanged: number
  readonly skipped: number
  readonly conflict: number
  readonly invalid: number
  /** The first of each kind. */
  readonly first: Readonly<Record<PlanKind, readonly PlannedRow[]>>
  readonly issues: readonly LocatedIssue[]
}

const batchSize = 250
const firstOfEach = 10

export interface DryRunOptions extends BulkOptions {
  /** Waited for after each batch of `planned` events. */
  readonly afterBatch?: () => Promise<void>
}

/**
 * What `importCustomers` would do with the same rows; sends nothing but questions. Each row comes as a `planned` event
 * with the update actions that it needs, and a last event groups what will fail by cause. Throws InputError, and InvalidRows unless such rows may be left out.
 */
export const planImport = (
  client: Client,
  sources: readonly Source[],
  options: DryRunOptions = {},
): Promise<PlanResult> => planned(new ImportRun(client, sources, options), options)

/** The plan of a run. */
export async function planned(bulk: ImportRun, {signal, afterBatch}: DryRunOptions): Promise<PlanResult> {
  const {rows: read, invalid, issues, causes} = await bulk.validated()
  const counts: Record<PlanKind, number> = {create: 0, update: 0, unchanged: 0, skipped: 0, conflict: 0}
  const first: Record<PlanKind, PlannedRow[]> = {create: [], update: [], unchanged: [], skipped: [], conflict: []}
  for await (const batch of batchesOf((await bulk.rows.check()).rows, batchSize)) {
    signal?.throwIfAborted()
    const valid = batch.filter((row) => row.issues.length === 0)
    const plans = new Map((await bulk.foreseen(await bulk.planRowsForGood(valid))).map((plan) => [plan.row, plan]))
    for (const row of batch) {
      const entry = plans.get(row)
      if (!entry) {
        bulk.onEvent({type: 'invalid-row', row})
        continue
      }
      counts[entry.kind] += 1
      if (entry.kind === 'conflict') causes.add(entry, entry.row.place, 'conflict')
      if (first[entry.kind].length < firstOfEach) first[entry.kind].push(shown(entry, bulk))
      bulk.onEvent({type: 'planned', planned: entry})
    }
    await afterBatch?.()
  }
  bulk.tellNotUpdatable()
  bulk.onEvent({type: 'causes', causes: causes.members})
  return {read, ...counts, invalid, first, issues}
}

function shown(planned: Planned, {plan: {match}}: ImportRun): PlannedRow {
  const {row} = planned
  return {
    ...row.place,
    identity: identityText(row.draft, match),
    ...(planned.kind === 'update' ? {actions: planned.actions.map(({action}) => action)} : {}),
    ...(planned.kind === 'conflict' ? {reason: planned.message} : {}),
    ...(planned.kind === 'skipped' ? {reason: planned.reason} : {}),
  }
}
