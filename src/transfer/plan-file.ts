import type {Client} from '../client/client.js'
import {defined} from '../domain/equal.js'
import type {CheckedRow} from './check/checked-rows.js'
import {createPrivateFile} from './files/private-file.js'
import type {Match} from './input/row-draft.js'
import type {Source} from './input/source.js'
import {type DryRunOptions, type PlanResult, planImport} from './plan.js'
import type {PlanHeader, PlanRow} from './run/applied-plan.js'
import {Bulk} from './run/bulk.js'
import {identify} from './run/open-job.js'
import {identityText, type Planned} from './write/plan-row.js'

export interface PlanOutOptions extends DryRunOptions {
  /** The file to write; there must be none. */
  readonly out: string
  /** What the plan calls its target, so that it is never applied elsewhere. */
  readonly target: string
  /** What decides beside the options how the files are read. */
  readonly about?: Readonly<Record<string, unknown>>
}

/** Plans an import into a private file of JSON Lines that can be read, and applied later. Throws what `planImport` throws. */
export async function planToFile(
  client: Client,
  sources: readonly Source[],
  {out, target, about, ...options}: PlanOutOptions,
): Promise<PlanResult> {
  const bulk = new Bulk(client, sources, options)
  const {match} = bulk.plan
  const identity = bulk.identity({target, ...defined({about})})
  const {files} = await identify(sources, identity, await bulk.joined())
  const header: PlanHeader = {frontdesk: 'plan', format: 1, createdAt: new Date().toISOString(), ...identity, files}
  return createPrivateFile(out, false, async (file) => {
    let lines = [header as object]
    const flush = async (): Promise<void> => {
      const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
      lines = []
      await file.write(text)
    }
    const result = await planImport(client, sources, {
      ...options,
      onEvent: (event) => {
        options.onEvent?.(event)
        if (event.type === 'planned') lines.push(lineOf(event.planned, match))
        if (event.type === 'invalid-row') lines.push(invalidLine(event.row, match))
      },
      afterBatch: async () => {
        await flush()
        await options.afterBatch?.()
      },
    })
    const {read, create, update, unchanged, skipped, conflict, invalid} = result
    lines.push({end: {read, create, update, unchanged, skipped, conflict, invalid}})
    await flush()
    return result
  })
}

const placeOf = ({place, draft}: CheckedRow, match: Match) => ({
  row: place.number,
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
