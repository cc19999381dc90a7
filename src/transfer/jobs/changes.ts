import {createHash} from 'node:crypto'
import {join} from 'node:path'
import {placeKey, placeOfRun} from '../../client/place.js'
import type {UpdateAction} from '../../domain/action.js'
import {beforeImageOf, type ChangedImage, changedImage, plain} from '../../domain/customers/before-image.js'
import type {Customer} from '../../domain/customers/customer.js'
import {defined} from '../../domain/equal.js'
import {hasCode} from '../../files/file-errors.js'
import {removeQuietly} from '../../files/private-file.js'
import {BeforeImages, ImageReader, imagesPath, type KeptImage} from './before-images.js'
import {createJob, filesIn, journalPath, mayForget, nextJobName} from './jobs.js'
import {countsWith, readJournal} from './journal.js'
import {type JobHeader, noCounts, type RowLine} from './journal-lines.js'

/**
 * The change of one customer by hand is a job of one row. What it replaces is on disk before it is sent; without a row
 * that says how it ended, only the customer can tell. The name of such a job ends with a digest of its customer, so that
 * the changes of a customer are found by their names.
 */

const changeForm = /^\d{8}-\d{9}-([0-9a-f]{12})\.jsonl$/

/** Of all customers; the oldest go first. */
const mostChanges = 500

/** Where changes are kept, and of which target they are. */
export interface ChangesOf extends Pick<JobHeader, 'projectKey' | 'storeKey' | 'target'> {
  readonly dir: string
}

/** What was sent: the customer as it was read, and the actions without passwords. */
export interface SentChange {
  readonly customer: Customer
  readonly actions: readonly UpdateAction[]
}

/** A change that was made, or, without `made`, one whose end nobody noted. */
export interface StoredChange {
  readonly command: string
  /** ISO 8601. */
  readonly time: string
  readonly image: KeptImage
  readonly sent: SentChange
  readonly made?: {readonly image: KeptImage & ChangedImage; readonly version: number}
}

interface ImageOfSent extends KeptImage {
  readonly sent: SentChange
}

export type BegunChange = Awaited<ReturnType<typeof beginChange>>

const digestOf = (of: ChangesOf, id: string): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([placeKey(placeOfRun(of)), id]))
    .digest()
    .subarray(0, 6)

/** The file names of changes, the newest first. */
export const changeNames = (dir: string): string[] =>
  filesIn(dir)
    .filter((name) => changeForm.test(name))
    .sort()
    .reverse()

export async function beginChange(of: ChangesOf, command: string, {customer, actions}: SentChange, now: number) {
  const {dir, ...whose} = of
  const {id, version} = customer
  const {job, journal} = await begun(of, {format: 1, ...whose, files: [], options: {change: command}}, id, now)
  const images = new BeforeImages(imagesPath(dir, job))
  const image = {row: 1, id, version, upTo: version + actions.length, ...beforeImageOf(customer, actions)}
  const close = async (): Promise<void> => {
    await images.close()
    await journal.close()
  }
  const leave = (): Promise<void> => close().catch(() => undefined)
  const drop = async (): Promise<void> => {
    await leave()
    remove(dir, job)
  }
  const sent = {customer: plain(customer), actions: actions.map(withoutPassword)}
  journal.append({plan: {create: [], update: [1]}})
  try {
    await Promise.all([journal.flush(), images.keep({...image, sent} as ImageOfSent)])
  } catch (error) {
    await drop()
    throw error
  }
  return {
    drop,
    /** Nobody knows its end: it stays as it is. */
    leave,
    /** It was made. Returns whether anything of it can be taken back. `back`: it restored the customer of this version. */
    made: async (after: Customer, back?: number): Promise<boolean> => {
      const changed = after.version === version ? undefined : changedImage(customer, after)
      if (!changed) {
        await drop()
        return false
      }
      const place = await images.keep({...image, ...changed})
      const more = {...defined({image: place, back}), id, version: after.version}
      const row: RowLine = {row: 1, line: 1, outcome: back === undefined ? 'updated' : 'restored', ...more}
      journal.append(row)
      journal.append({end: countsWith(noCounts, row), report: null, at: new Date(now).toISOString()})
      await close()
      return Object.keys(changed.after).length > 0
    },
  }
}

async function begun(
  of: ChangesOf,
  header: Omit<JobHeader, 'job' | 'startedAt' | 'fingerprint'>,
  id: string,
  now: number,
) {
  const {dir} = of
  const digest = digestOf(of, id)
  for (const name of changeNames(dir).slice(mostChanges - 1)) {
    const old = name.replace(/\.jsonl$/, '')
    if (await mayForget(dir, old)) remove(dir, old)
  }
  for (;;) {
    const job = nextJobName(dir, now, digest)
    const about = {job, startedAt: new Date(now).toISOString(), fingerprint: digest.toString('hex')}
    try {
      return {job, journal: await createJob(dir, {...header, ...about})}
    } catch (error) {
      // Another process changes the same customer in the same millisecond.
      if (!hasCode(error, 'EEXIST')) throw error
    }
  }
}

function remove(dir: string, job: string): void {
  removeQuietly(journalPath(dir, job))
  removeQuietly(imagesPath(dir, job))
}

const withoutPassword = (action: UpdateAction): UpdateAction =>
  'password' in action ? {...action, password: '********'} : action

/** The changes of a customer, the newest first, as far as they are kept. */
export async function* changesOf(of: ChangesOf, id: string): AsyncGenerator<StoredChange> {
  const digest = digestOf(of, id).toString('hex')
  for (const name of changeNames(of.dir).filter((each) => changeForm.exec(each)?.[1] === digest)) {
    const change = await storedChange(of.dir, name, id)
    if (change) yield change
  }
}

async function storedChange(dir: string, name: string, id: string): Promise<StoredChange | undefined> {
  let header: JobHeader | undefined
  let row: RowLine | undefined
  for await (const {line} of readJournal(join(dir, name))) {
    if ('files' in line) header = line
    if ('row' in line) row = line
  }
  const reader = new ImageReader(imagesPath(dir, name.replace(/\.jsonl$/, '')))
  try {
    const image = (await reader.at(0, id)) as ImageOfSent | undefined
    if (!header || !image) return undefined
    const about = {command: String(header.options['change']), time: header.startedAt, image, sent: image.sent}
    if (!row) return about
    const {image: at, version} = row as RowLine & {readonly image?: number; readonly version?: number}
    const made = at === undefined ? undefined : ((await reader.at(at, id)) as (KeptImage & ChangedImage) | undefined)
    return made && version !== undefined ? {...about, made: {image: made, version}} : undefined
  } finally {
    await reader.close()
  }
}
