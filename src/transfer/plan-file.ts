import {resolve} from 'node:path'
import type {Client} from '../client/client.js'
import {defined} from '../domain/equal.js'
import type {CheckedRow} from './check/checked-rows.js'
import {createPrivateFile} from './files/private-file.js'
import type {Source} from './input/row.js'
import type {Match} from './input/row-draft.js'
import {notePlan} from './jobs/forget.js'
import {newJobName} from './jobs/jobs.js'
import {type DryRunOptions, type PlanResult, planned} from './plan.js'
import type {PlanHeader, PlanRow} from './run/applied-plan.js'
import {ImportRun} from './run/import-run.js'
import {identify} from './run/open-job.js'
import {identityText, type Planned} from './write/plan-row.js'

export interface PlanOutOptions extends DryRunOptions {
  /** The file to write; there must be none. */
  readonly out: string
  /** Where the path of the file is noted. */
  readonly jobsDir: string
  /** What the plan calls its target, so that it is never applied elsewhere. */
  readonly target: string
  /** What decides beside the options how the files are read. */
  readonly about?: Readonly<Record<string, unknown>>
}

/** Plans an import into a private file of JSON Lines that can be read, and applied later. Throws what `planImport` throws. */
export async function planToFile(
  client: Client,
  sources: readonly Source[],
  {out, jobsDir, target, about, ...options}: PlanOutOptions,
): Promise<PlanResult> {
  let text = ''
  const add = (line: object): void => {
    text += `${JSON.stringify(line)}\n`
  }
  const bulk = new ImportRun(client, sources, {
    ...options,
    onEvent: (event) => {
      options.onEvent?.(event)
      if (event.type === 'planned') add(lineOf(event.planned, match))
      if (event.type === 'invalid-row') add(invalidLine(event.row, match))
    },
  })
  const {
    plan: {match},
    runtime: {now, bytes},
  } = bulk
  const identity = bulk.identity({target, ...defined({about})})
  const {files} = await identify(sources, identity, await bulk.rows.joined())
  const header: PlanHeader = {
    frontdesk: 'plan',
    format: 1,
    createdAt: new Date(now()).toISOString(),
    ...identity,
    files,
  }
  add(header)
  return createPrivateFile(out, false, async (file) => {
    notePlan(jobsDir, newJobName(now(), bytes(3)), resolve(out))
    const flush = async (): Promise<void> => {
      const lines = text
      text = ''
      await file.write(lines)
    }
    const result = await planned(bulk, {
      ...options,
      afterBatch: async () => {
        await flush()
        await options.afterBatch?.()
      },
    })
    const {read, create, update, unchanged, skipped, conflict, invalid} = result
    add({end: {read, create, update, unchanged, skipped, conflict, invalid}})
    await flush()
    return result
  })
}

const placeOf = ({place, number, draft}: CheckedRow, match: Match) => ({
  row: number,
  line: place.line,
  identity: identityText(draft, match),
})

const invalidLine = (row: CheckedRow, match: Match): PlanRow => ({
  ...placeOf(row, match),
  do: 'invalid',
  code: row.issues[0]?.code ?? '',
  reason: row.issues.map(({message}) => message).join(' '),
})

function lineOf(planned: Planned, match: Match): PlanRow {
  const {row} = planned
  const {password: _, passwordHash: __, ...draft} = row.draft
  const place = placeOf(row, match)
  switch (planned.kind) {
    case 'create':
      return {...place, do: 'create', draft}
    case 'update':
      return {
        ...place,
        do: 'update',
        id: planned.current.id,
        version: planned.current.version,
        actions: planned.actions,
      }
    case 'unchanged':
      return {...place, do: 'unchanged', id: planned.current.id, version: planned.current.version}
    case 'skipped':
      return {...place, do: 'skip', reason: planned.reason}
    case 'conflict':
      return {...place, do: 'refuse', code: planned.code, reason: planned.message}
  }
}
