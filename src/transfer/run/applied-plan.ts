import {isSamePlace, placeOfRun, placeText} from '../../client/place.js'
import type {UpdateAction} from '../../domain/action.js'
import {equal} from '../../domain/equal.js'
import {InputError} from '../files/input-error.js'
import {linesOf} from '../files/lines.js'
import type {Place} from '../input/row.js'
import {digestOf} from '../jobs/jobs.js'
import {parsedLine} from '../jobs/journal.js'
import type {JobHeader} from '../jobs/journal-lines.js'
import type {Planned} from '../write/plan-row.js'

/** The lines of a plan file: a header, one line a row, and an end that tells a whole file from one that was cut. */

export interface PlanHeader extends Pick<JobHeader, 'projectKey' | 'storeKey' | 'target' | 'files' | 'options'> {
  readonly frontdesk: 'plan'
  readonly format: 1
  readonly createdAt: string
}

/** A row of a plan, as dry runs show it and plan files keep it. */
export type PlanRow = Place & {readonly row: number; readonly identity: string} & Verdict

interface Existing {
  readonly id: string
  readonly version: number
  readonly kept?: readonly string[]
}

/** What becomes of a row. A plan file leaves unchanged rows out. */
export type Verdict =
  | {readonly do: 'create'; readonly draft: object}
  | ({readonly do: 'update'; readonly actions: readonly UpdateAction[]} & Existing)
  | ({readonly do: 'unchanged'} & Existing)
  | {readonly do: 'skip'; readonly reason: string}
  | {readonly do: 'refuse'; readonly code: string; readonly reason: string}
  | {readonly do: 'invalid'; readonly code: string; readonly reason: string}

const unreadable = (path: string, why: string): InputError =>
  new InputError(`${path} is no plan that can be applied: ${why}.`, {
    file: path,
    remedy: 'Make one with customers import --plan-out FILE.',
  })

export type AppliedPlan = Awaited<ReturnType<typeof openPlan>>

/**
 * Opens a plan that was made before, and whose rows are carried out as they stand there or not at all. Throws InputError
 * for one that is none, was cut or is for another project or address.
 */
export async function openPlan(
  path: string,
  {projectKey, storeKey, target}: Pick<PlanHeader, 'projectKey' | 'storeKey' | 'target'>,
) {
  const header = await headerOf(path)
  if (header.storeKey !== storeKey || !isSamePlace(placeOfRun(header), placeText(target, projectKey))) {
    const store = header.storeKey === undefined ? '' : `the store ${header.storeKey} of `
    throw new InputError(`${path} is a plan for ${store}${header.projectKey} at ${header.target}.`, {
      file: path,
      remedy: 'Choose the same target with --profile and --store.',
    })
  }
  const lines = rowsOf(path)
  let next: PlanRow | undefined
  let turn: Promise<unknown> = Promise.resolve()
  const rowAt = async (number: number): Promise<PlanRow | undefined> => {
    while (next === undefined || next.row < number) {
      const {value, done} = await lines.next()
      if (done) return undefined
      next = value
    }
    return next.row === number ? next : undefined
  }
  return {
    header,
    /** Of the file as it is now: another review is another job. */
    digest: await digestOf({path}),
    /** Throws InputError if the files are not those that the plan was made of. */
    checkFiles(files: PlanHeader['files']): void {
      for (const [at, {name, sha256}] of header.files.entries()) {
        if (files[at]?.sha256 === sha256) continue
        throw new InputError(`${name} was changed since the plan was made.`, {file: name, remedy: 'Make a new plan.'})
      }
    },
    /**
     * The plans of rows, as far as they are those of the file; `isIntended`: this job had begun the row. To be called in
     * the order of the rows: later rows may be planned sooner, and wait for the earlier ones.
     */
    decided(planning: Promise<readonly Planned[]>, isIntended: (row: number) => boolean): Promise<readonly Planned[]> {
      const mine = Promise.all([planning, turn]).then(async ([plans]) => {
        const all: Planned[] = []
        for (const plan of plans) all.push(decision(plan, await rowAt(plan.row.number), isIntended))
        return all
      })
      turn = mine.catch(() => undefined)
      return mine
    },
    /** Closes the file; after the last rows were decided. */
    async close(): Promise<void> {
      await turn
      await lines.return(undefined)
    },
  }
}

async function headerOf(path: string): Promise<PlanHeader> {
  let header: Partial<PlanHeader> | undefined
  let isWhole = false
  try {
    for await (const {text} of linesOf(path)) {
      isWhole = text.startsWith('{"end":')
      header ??= JSON.parse(text) as Partial<PlanHeader>
    }
  } catch (cause) {
    throw unreadable(path, cause instanceof SyntaxError ? 'its first line is not JSON' : 'it cannot be read')
  }
  if (header?.frontdesk !== 'plan' || header.format !== 1) throw unreadable(path, 'it does not begin as one')
  if (!isWhole) throw unreadable(path, 'its end is missing')
  return header as PlanHeader
}

async function* rowsOf(path: string): AsyncGenerator<PlanRow> {
  for await (const {text} of linesOf(path)) {
    const line = parsedLine(text)
    if (!line) throw unreadable(path, 'a line is not JSON')
    if ('row' in line) yield line as object as PlanRow
  }
}

function decision(now: Planned, then: PlanRow | undefined, isIntended: (row: number) => boolean): Planned {
  const {row} = now
  const refused = (code: string, message: string): Planned => ({row, kind: 'conflict', code, message})
  if (!then && now.kind === 'unchanged') return now
  if (!then) return {row, kind: 'skipped', reason: 'The plan does not have this row.'}
  if (then.do === 'refuse' || then.do === 'invalid') return refused(then.code, then.reason)
  if (then.do === 'skip') return {row, kind: 'skipped', reason: then.reason}
  // Done by this job before it was interrupted.
  if (now.kind === 'conflict' || (now.kind === 'unchanged' && isIntended(row.number))) return now
  if (then.do === 'create') {
    if (now.kind === 'create') return now
    return refused('DuplicateField', 'Changed since the plan: the customer exists now.')
  }
  if (!('current' in now) || now.current.id !== then.id) {
    return refused('ResourceNotFound', 'Changed since the plan: the customer is not there any more.')
  }
  if (now.current.version !== then.version) {
    const message = `Changed since the plan: version ${then.version} then, ${now.current.version} now.`
    return refused('ConcurrentModification', message)
  }
  const actions: unknown = now.kind === 'update' ? JSON.parse(JSON.stringify(now.actions)) : undefined
  if (equal(actions, then.do === 'update' ? then.actions : undefined)) return now
  return refused('InvalidInput', 'The actions in the plan are not those of its file; only whole lines can be left out.')
}
