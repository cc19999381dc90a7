import {constants, mkdirSync, readFileSync, statSync} from 'node:fs'
import {open} from 'node:fs/promises'
import {basename, join} from 'node:path'
import type {Customer} from '../../domain/customers/customer.js'
import {createPrivate, removeQuietly} from '../../files/private-file.js'
import {hasSamples, withoutSamples} from '../check/coverage.js'
import {linesAt, linesOf} from '../files/lines.js'
import {imageFiles, imageIn} from './before-images.js'
import {filesIn, jobNames, journalPath, reportPath} from './jobs.js'
import {parsedLine, readJournal} from './journal.js'
import type {JobHeader, RowLine} from './journal-lines.js'
import {memoryFiles} from './memory.js'
import {writeReport} from './report.js'
import {mayForget} from './states.js'

/** What the files of jobs say of persons: it goes with an erasure, and each file after its days. */

const {O_NOFOLLOW = 0, O_RDWR} = constants

/** The names of a person in rows; `id` alone if no more is known. */
export type PersonNames = Pick<Customer, 'id'> &
  Partial<Pick<Customer, 'email' | 'key' | 'externalId' | 'customerNumber'>>

/** Of the files of jobs, and of the changes of one customer. */
const nameForm = /^\d{8}-\d{9}-(?:[0-9a-f]{6}){1,2}\./

/** Removes the files of jobs that nobody has written since. */
export function pruneJobs(dir: string, before: number): void {
  const isOld = (path: string): boolean => (statSync(path, {throwIfNoEntry: false})?.mtimeMs ?? before) < before
  for (const name of filesIn(dir)) {
    const [start] = nameForm.exec(name) ?? []
    if (!start || !isOld(join(dir, name)) || !mayForget(journalPath(dir, start.slice(0, -1)))) continue
    removeQuietly(join(dir, name))
  }
  // Of the digests of a target all stay while runs come, since what was written long ago counts as well.
  const targetOf = (path: string) => basename(path).slice(0, 'written-'.length + 16)
  const memories = memoryFiles(dir)
  const inUse = new Set(memories.filter((path) => !isOld(path)).map(targetOf))
  for (const path of memories) if (!inUse.has(targetOf(path))) removeQuietly(path)
}

const plain = (text: string): string => text.trim().toLowerCase()

/** Where the files of jobs say something of each person: the starts of lines by path, by id. */
export type Traces = ReadonlyMap<string, ReadonlyMap<string, readonly number[]>>

/** Tells whether a row is about one of the persons: it leads to them, or its source says a value of theirs. */
export function aboutOf(persons: readonly PersonNames[]): (row: RowLine) => boolean {
  const ids = new Set(persons.map(({id}) => id))
  const values = new Set(
    persons.flatMap(({id, email, key, externalId, customerNumber}) =>
      [id, email, key, externalId, customerNumber].flatMap((value) => (value ? plain(value) : [])),
    ),
  )
  const emails = persons.flatMap(({email}) => (email ? plain(email) : []))
  const says = (record: Readonly<Record<string, string>> = {}) =>
    Object.values(record).some((value) => values.has(plain(value)))
  return (row) =>
    ('id' in row && ids.has(row.id ?? '')) ||
    values.has(plain(row.customer ?? '')) ||
    says(row.record) ||
    (row.further ?? []).some(({record}) => says(record)) ||
    (row.outcome === 'failed' && emails.some((email) => plain(row.message).includes(email)))
}

export const isPersonal = (row: RowLine): boolean =>
  row.record !== undefined || row.customer !== undefined || (row.outcome === 'failed' && row.message !== '')

/** The row without what its source says of the person. Its outcome stays, so that the job can go on. */
function withoutPerson({record: _, further: __, customer: ___, empty: ____, ...row}: RowLine): object {
  return row.outcome === 'failed' ? {...row, message: ''} : row
}

/**
 * Overwrites lines of a file in place, since a job may be appending to it; `replaced` gives none for those that stay.
 * `starts`: of the lines that are looked at, if not of all.
 */
async function overwritten(
  path: string,
  replaced: (text: string) => string | undefined,
  starts?: readonly number[],
): Promise<boolean> {
  const places: {readonly at: number; readonly bytes: Buffer}[] = []
  for await (const {text, start, end} of starts ? linesAt(path, starts) : linesOf(path)) {
    const replacement = replaced(text)
    if (replacement === undefined) continue
    const bytes = Buffer.alloc(end - start - 1, ' ')
    bytes.write(replacement)
    places.push({at: start, bytes})
  }
  if (places.length === 0) return false
  const file = await open(path, O_RDWR | O_NOFOLLOW)
  try {
    for (const {at, bytes} of places) await file.write(bytes, 0, bytes.length, at)
    await file.datasync()
  } finally {
    await file.close()
  }
  return true
}

/** Overwrites the rows about persons in all journals, and writes the tables of failed rows without them. */
export async function forgetInJournals(dir: string, persons: readonly PersonNames[], traces?: Traces): Promise<void> {
  const isAbout = aboutOf(persons)
  for (const job of await jobNames(dir)) {
    const path = journalPath(dir, job)
    const starts =
      traces &&
      startsOf(
        traces,
        path,
        persons.map(({id}) => id),
      )
    if (starts?.length === 0) continue
    const isChanged = await overwritten(
      path,
      (text) => {
        const line = parsedLine(text)
        if (line && 'coverage' in line && hasSamples(line.coverage))
          return JSON.stringify({coverage: withoutSamples(line.coverage)})
        if (line && 'row' in line && isPersonal(line) && isAbout(line)) return JSON.stringify(withoutPerson(line))
        return undefined
      },
      starts,
    )
    const report = reportPath(dir, job)
    if (isChanged && statSync(report, {throwIfNoEntry: false})) await writeReport(path, report, await filesOf(path))
  }
}

/** Files with a line for each write, which names its customer by id. */
export const filesById = (dir: string): string[] => [...imageFiles(dir).map(({path}) => path), ...memoryFiles(dir)]

/** Overwrites what all jobs keep of customers who are gone. */
export async function forgetInImages(dir: string, ids: ReadonlySet<string>, traces?: Traces): Promise<void> {
  for (const path of filesById(dir)) {
    const starts = traces && startsOf(traces, path, [...ids])
    if (starts?.length === 0) continue
    await overwritten(path, (text) => (ids.has(imageIn(text)?.id ?? '') ? '' : undefined), starts)
  }
}

/** Where a file says something of persons. */
const startsOf = (traces: Traces, path: string, ids: readonly string[]): readonly number[] =>
  [...new Set(ids)].flatMap((id) => traces.get(id)?.get(path) ?? [])

/** The emails that images of customers tell, which are theirs of the time before a change. */
export async function emailsInImages(dir: string, ids: ReadonlySet<string>): Promise<PersonNames[]> {
  const found: PersonNames[] = []
  for (const {path} of imageFiles(dir)) {
    for await (const {text} of linesOf(path)) {
      const id = imageIn(text)?.id ?? ''
      if (ids.has(id)) found.push(...emailsIn(JSON.parse(text)).map((email) => ({id, email})))
    }
  }
  return found
}

/** The values of members named `email` or `oldEmail`, at any depth. */
export function emailsIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) =>
    typeof member === 'string' && /^(oldE|e)mail$/.test(name) ? [member] : emailsIn(member),
  )
}

/** How many images there are of a customer. */
export async function imagesOf(dir: string, id: string): Promise<number> {
  let count = 0
  for (const path of filesById(dir)) for await (const {text} of linesOf(path)) if (imageIn(text)?.id === id) count += 1
  return count
}

const filesOf = async (journal: string): Promise<string[]> => {
  for await (const {line} of readJournal(journal)) return (line as JobHeader).files.map(({name}) => name)
  return []
}

const planSuffix = '.plan'

/** Notes where a plan is written that its user will keep: an erasure names it if it says something of the person. */
export function notePlan(dir: string, name: string, path: string): void {
  mkdirSync(dir, {recursive: true, mode: 0o700})
  createPrivate(join(dir, `${name}${planSuffix}`), path)
}

/** Noted plans that name one of the persons, as far as they are where they were written. */
async function* plansAbout(dir: string, persons: readonly PersonNames[]): AsyncGenerator<string> {
  const [free, whole] = [
    persons.flatMap(({id, email}) => [id, email ?? id]),
    persons.flatMap(({key, externalId, customerNumber}) => [key, externalId, customerNumber]),
  ]
  // A plan says `"key":"ada"` and, of the customer of a row, `"identity":"key=ada"`.
  const said = [
    ...free.map(plain),
    ...whole.flatMap((value) => (value ? [`"${plain(value)}"`, `=${plain(value)}"`] : [])),
  ]
  for (const name of filesIn(dir).filter((each) => each.endsWith(planSuffix))) {
    const path = readFileSync(join(dir, name), 'utf8')
    if (statSync(path, {throwIfNoEntry: false})?.isFile() !== true) continue
    for await (const {text} of linesOf(path)) {
      const line = text.toLowerCase()
      if (!said.some((words) => line.includes(words))) continue
      yield path
      break
    }
  }
}

export interface Mentions {
  /** Rows that say something of the persons. */
  readonly rows: number
  /** Files of the user that jobs about them read or wrote. */
  readonly files: readonly string[]
}

/** What journals say of persons. */
export async function mentionsOf(dir: string, persons: readonly PersonNames[]): Promise<Mentions> {
  const isAbout = aboutOf(persons)
  const files = new Set<string>()
  let rows = 0
  for (const job of await jobNames(dir)) {
    let isMet = false
    let own: readonly string[] = []
    for await (const {line} of readJournal(journalPath(dir, job))) {
      if ('files' in line) own = [...line.files.map(({name}) => name), ...(line.wrote ?? [])]
      if ('end' in line && line.report !== null && line.report !== reportPath(dir, job)) own = [...own, line.report]
      if (!('row' in line) || !isAbout(line)) continue
      isMet = true
      if (isPersonal(line)) rows += 1
    }
    if (isMet) for (const name of own) files.add(name)
  }
  for await (const path of plansAbout(dir, persons)) files.add(path)
  return {rows, files: [...files].filter((name) => name !== 'standard input')}
}
