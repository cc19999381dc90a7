import {existsSync, readdirSync} from 'node:fs'
import {join} from 'node:path'
import type {Client} from '../../client/client.js'
import {readPrivate, removeQuietly, replacePrivate} from '../../files/private-file.js'
import type {Anchor, StoredMark} from '../../transfer/target/marks.js'
import {jsonIn} from '../output/fields.js'
import {usage} from '../process/failure.js'
import {interruption} from '../process/interruption.js'
import type {Run} from '../run/run.js'
import {sinceFolder} from '../target/settings.js'

/** How far runs came: the last one, what it did, and the same of the run before it. */
export interface Mark {
  readonly watermark: string
  /** What moved the mark; exports are no jobs. */
  readonly job?: string
  /** Of the target that was written; exports write none. */
  readonly anchor?: Anchor
  readonly before?: Mark
}

/** More runs than this before the last are forgotten: what is taken back then is read from the beginning. */
const mostBefore = 30
const mostTries = 10

export function* chainOf(mark: Mark | undefined): Generator<Mark> {
  for (let one = mark; one; one = one.before) yield one
}

/** The mark with so many of the runs before it; nothing tells how far the others came. */
export function truncated({before, ...mark}: Mark, most = mostBefore): Mark {
  return before && most > 0 ? {...mark, before: truncated(before, most - 1)} : mark
}

/** A mark among those of other runs, by how far they came. */
export function insertSorted(chain: Mark | undefined, mark: Mark): Mark {
  if (!chain || chain.watermark <= mark.watermark) return chain ? {...mark, before: chain} : mark
  return {...chain, before: insertSorted(chain.before, mark)}
}

/** The mark in a custom object; undefined for an empty one, whose mark was taken back. */
export function markOf(value: unknown): Mark | undefined {
  if (value === undefined || JSON.stringify(value) === '{}') return undefined
  const {watermark} = (value ?? {}) as {readonly watermark?: unknown}
  if (typeof watermark === 'string' && !Number.isNaN(Date.parse(watermark))) return value as Mark
  throw usage('The mark of --since last cannot be read.', 'Name a moment, such as --since 2026-11-01.')
}

export function markIn(text: string | undefined): Mark | undefined {
  return text === undefined ? undefined : markOf(jsonIn(text) ?? '')
}

/**
 * Changes the mark that a target keeps, and again when others changed it meanwhile. `next` returns nothing where it has to
 * stay. Undefined where the client may not write it.
 */
export async function changeMark(
  client: Client,
  key: string,
  read: StoredMark,
  next: (now: Mark | undefined, read: StoredMark) => Mark | object | undefined,
): Promise<'kept' | 'stays' | undefined> {
  const {readMark, writeMark} = await import('../../transfer/target/marks.js')
  let kept: StoredMark | undefined = read
  for (let tries = 0; kept && tries < mostTries; tries += 1) {
    const value = next(markOf(kept.value), kept)
    if (!value) return 'stays'
    const result = await writeMark(client, key, kept, value, interruption())
    if (result !== 'changed meanwhile') return result
    kept = await readMark(client, key, interruption())
  }
  return kept && 'stays'
}

/** The chain of marks without a job and those after it; nothing if the job is not in it. */
function without(job: string, mark: Mark | undefined): {readonly before: Mark | undefined} | undefined {
  // A write that was sent twice is there twice.
  const found = [...chainOf(mark)].findLast((one) => one.job === job)
  return found && {before: found.before}
}

const notPutBack =
  'this client may not put the mark at the target back (manage_key_value_documents); rows before it are not read again'

/**
 * Puts back the marks that an undone job moved: on this machine, and at the target under the key that the job names.
 * What later runs read is read again as well.
 */
export async function takeMarksBack(run: Run, client: Client, job: string, key: unknown): Promise<void> {
  const say = (before: Mark | undefined) =>
    run.say(`--since last ${before ? `goes on at ${before.watermark}` : 'begins anew'}: the run was taken back`)
  const folder = sinceFolder(run.folders)
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const path = join(folder, name)
    const left = without(job, markIn(readPrivate(path)))
    if (!left) continue
    if (left.before) replacePrivate(path, JSON.stringify(left.before))
    else removeQuietly(path)
    say(left.before)
  }
  if (typeof key !== 'string') return
  const {readMark} = await import('../../transfer/target/marks.js')
  const kept = await readMark(client, key, interruption())
  let left: ReturnType<typeof without>
  const result =
    kept &&
    (await changeMark(client, key, kept, (now) => {
      left = without(job, now)
      return left && (left.before ?? {})
    }))
  if (result === 'kept') say(left?.before)
  else if (left) run.say(`--since last: ${notPutBack}`)
}
