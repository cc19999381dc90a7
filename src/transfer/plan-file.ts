import {resolve} from 'node:path'
import type {Client} from '../client/client.js'
import {defined} from '../domain/equal.js'
import {createPrivateFile} from './files/private-file.js'
import type {Source} from './input/row.js'
import {newJobName} from './jobs/jobs.js'
import {notePlan} from './jobs/traces.js'
import {type DryRunOptions, type PlanResult, planned} from './plan.js'
import type {PlanHeader} from './run/applied-plan.js'
import {ImportRun} from './run/import-run.js'
import {identify} from './run/open-job.js'

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

/** Plans an import into a private file of JSON Lines that can be read, and applied later: the rows that are not as they should be. Throws what `planImport` throws. */
export async function planToFile(
  client: Client,
  sources: readonly Source[],
  {out, about, ...options}: PlanOutOptions,
): Promise<PlanResult> {
  let text = ''
  const add = (line: object): void => {
    text += `${JSON.stringify(line)}\n`
  }
  const bulk = new ImportRun(client, sources, {
    ...options,
    onEvent: (event) => {
      options.onEvent?.(event)
      if (event.type === 'planned' && event.row.do !== 'unchanged') add(event.row)
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
