import {resolve} from 'node:path'
import type {Client} from '../client/client.js'
import {defined} from '../domain/equal.js'
import type {CheckedRow} from './check/checked-rows.js'
import {createPrivateFile} from './files/private-file.js'
import type {Source} from './input/row.js'
import {newJobName} from './jobs/jobs.js'
import {type KeptMembers, KeptRows} from './jobs/kept-members.js'
import {notePlan} from './jobs/traces.js'
import type {PlanHeader, Verdict} from './run/applied-plan.js'
import type {LocatedIssue} from './run/events.js'
import {ImportRun} from './run/import-run.js'
import {identify} from './run/open-job.js'
import type {BulkOptions} from './run/options.js'
import {batchesOf} from './send/batches.js'
import {identityText, type Planned} from './write/plan-row.js'

/** What a run would do. `invalid` rows are those that it would leave out. */
export interface PlanResult extends Readonly<Record<'read' | Planned['kind'] | 'invalid', number>> {
  readonly issues: readonly LocatedIssue[]
  /** Customer groups and stores that would be created first, if any would. */
  readonly createdReferences?: readonly string[]
  /** Members that would stay because somebody else changed them, if there are any. */
  readonly kept?: KeptMembers
}

export interface DryRunOptions extends BulkOptions {
  /** Waited for after each batch of `planned` events. */
  readonly afterBatch?: () => Promise<void>
}

export interface PlanOutOptions extends DryRunOptions {
  /** The file to write; there must be none. */
  readonly out: string
  /** The path of the file is noted there, too. */
  readonly jobsDir: string
  /** What the plan calls its target, so that it is never applied elsewhere. */
  readonly target: string
  /** What decides beside the options how the files are read. */
  readonly about?: Readonly<Record<string, unknown>>
}

/**
 * Plans what `importCustomers` would do with the same rows; only reads. Each row comes as a `planned` event with its line of
 * the plan and its update actions; a last event groups what will fail by cause. Throws InputError, and InvalidRows unless
 * `skipInvalid` is set.
 *
 *     const {create, update, conflict} = await planImport(client, sources.list, {mode: 'upsert'})
 */
export const planImport = (
  client: Client,
  sources: readonly Source[],
  options: DryRunOptions = {},
): Promise<PlanResult> => planned(new ImportRun(client, sources, options), options)

/** Plans an import into a private file of JSON Lines that can be read, and applied later: the rows that are not as they should be. Throws what `planImport` throws. */
export async function planToFile(
  client: Client,
  sources: readonly Source[],
  {out, about, ...options}: PlanOutOptions,
): Promise<PlanResult> {
  const lineOf = (line: object): string => `${JSON.stringify(line)}\n`
  let rows = ''
  const bulk = new ImportRun(client, sources, {
    ...options,
    onEvent: (event) => {
      options.onEvent?.(event)
      if (event.type === 'planned' && event.row.do !== 'unchanged') rows += lineOf(event.row)
    },
  })
  const {jobsDir, target} = options
  const {now, bytes} = bulk.runtime
  const identity = bulk.identity({target, ...defined({about})})
  const {files} = await identify(sources, identity, await bulk.rows.joined())
  const header: PlanHeader = {
    frontdesk: 'plan',
    format: 1,
    createdAt: new Date(now()).toISOString(),
    ...identity,
    files,
  }
  return createPrivateFile(out, false, async (file) => {
    notePlan(jobsDir, newJobName(now(), bytes(3)), resolve(out))
    await file.write(lineOf(header))
    const result = await planned(bulk, {
      ...options,
      afterBatch: async () => {
        const lines = rows
        rows = ''
        await file.write(lines)
        await options.afterBatch?.()
      },
    })
    const {read, create, update, unchanged, skipped, conflict, invalid} = result
    await file.write(lineOf({end: {read, create, update, unchanged, skipped, conflict, invalid}}))
    return result
  })
}

async function planned(bulk: ImportRun, {signal, afterBatch}: DryRunOptions): Promise<PlanResult> {
  const {rows: read, invalid, issues, causes} = await bulk.validated()
  const {match} = bulk.plan
  const counts: Record<Planned['kind'], number> = {create: 0, update: 0, unchanged: 0, skipped: 0, conflict: 0}
  const kept = new KeptRows()
  for await (const batch of batchesOf((await bulk.rows.check()).pieces)) {
    signal?.throwIfAborted()
    const valid = batch.filter((row) => row.issues.length === 0)
    const plans = new Map(
      (await bulk.target.planned(await bulk.planRowsForGood(valid))).map((plan) => [plan.row, plan]),
    )
    for (const row of batch) {
      const entry = plans.get(row)
      if (entry) counts[entry.kind] += 1
      const [meant] = matchedIds(entry)
      if (entry?.kept) kept.add(row.place, meant, entry.kept)
      if (entry?.kind === 'conflict') causes.add(entry, entry.row.place, 'conflict')
      const identity = identityText(row.draft, match)
      const shown = {row: row.number, ...row.place, identity, ...verdict(entry, row)}
      bulk.onEvent({type: 'planned', row: shown, meant: matchedIds(entry)})
    }
    await afterBatch?.()
  }
  await bulk.close()
  bulk.tellNotUpdatable()
  bulk.onEvent({type: 'causes', causes: causes.members})
  return {read, ...counts, invalid, issues, ...kept.found, ...bulk.missing()}
}

/** The ids of the customers whom a row means, also if it changes nothing. */
function matchedIds(planned: Planned | undefined): readonly string[] {
  if (planned?.kind === 'conflict') return (planned.found ?? []).map(({id}) => id)
  return planned && 'current' in planned ? [planned.current.id] : []
}

function verdict(planned: Planned | undefined, {draft, issues}: CheckedRow): Verdict {
  switch (planned?.kind) {
    case 'create': {
      const {password: _, passwordHash: __, ...rest} = draft
      return {do: 'create', draft: rest}
    }
    case 'update': {
      const {id, version} = planned.current
      return {do: 'update', id, version, actions: planned.actions, ...defined({kept: planned.kept})}
    }
    case 'unchanged': {
      const {id, version} = planned.current
      return {do: 'unchanged', id, version, ...defined({kept: planned.kept})}
    }
    case 'skipped':
      return {do: 'skip', reason: planned.reason}
    case 'conflict':
      return {do: 'refuse', code: planned.code, reason: planned.message}
    case undefined:
      return {do: 'invalid', code: issues[0]?.code ?? '', reason: issues.map(({message}) => message).join(' ')}
  }
}
