import {existsSync, mkdirSync, readFileSync, statSync} from 'node:fs'
import {basename, join} from 'node:path'
import {isSamePlace, placeOfRun} from '../../client/place.js'
import type {Customer} from '../../domain/customers/customer.js'
import {grouped} from '../../domain/equal.js'
import {createPrivate} from '../../files/private-file.js'
import {hasSamples} from '../check/coverage.js'
import {linesOf} from '../files/lines.js'
import {imageFiles, imageIn, jobOfImages} from './before-images.js'
import {filesIn, headerOf, jobNames, journalPath, reportPath} from './jobs.js'
import {parsedLine, readJournal} from './journal.js'
import type {JobHeader, RowLine} from './journal-lines.js'
import {memoryFiles} from './memory.js'

/** Where the files of jobs say something of persons: what an erasure takes away, and what it names. */

/** The names of a person in rows; `id` alone if no more is known. */
export type PersonNames = Pick<Customer, 'id'> &
  Partial<Pick<Customer, 'email' | 'key' | 'externalId' | 'customerNumber'>>

/** The jobs of a folder that wrote to a place: what they say of others is not of this person (decision 68). */
export interface JobsAt {
  readonly dir: string
  readonly place: string
}

const plain = (text: string): string => text.trim().toLowerCase()

/** What the files of jobs say of each person, by id: rows of journals, and lines that each write left, which name it by id. */
export type Traces = Awaited<ReturnType<typeof tracesIn>>

/** Tells whether a row is about one of the persons: it leads to them, or its source says a value of theirs. */
function aboutOf(persons: readonly PersonNames[]): (row: RowLine) => boolean {
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

const isPersonal = (row: RowLine): boolean =>
  row.record !== undefined || row.customer !== undefined || (row.outcome === 'failed' && row.message !== '')

/** A file without a journal beside it counts for every place: nobody knows its own. */
async function isAt(journal: string, place: string): Promise<boolean> {
  const header: Partial<JobHeader> | undefined = existsSync(journal) ? await headerOf(journal) : undefined
  const {target, projectKey} = header ?? {}
  return target === undefined || projectKey === undefined || isSamePlace(placeOfRun({target, projectKey}), place)
}

async function* journalsAt({dir, place}: JobsAt): AsyncGenerator<string> {
  for (const job of await jobNames(dir)) if (await isAt(journalPath(dir, job), place)) yield journalPath(dir, job)
}

async function* writesAt({dir, place}: JobsAt) {
  const paths = memoryFiles(dir, place)
  for (const {path} of imageFiles(dir)) if (await isAt(journalPath(dir, jobOfImages(path)), place)) paths.push(path)
  for (const path of paths) {
    for await (const line of linesOf(path)) {
      const id = imageIn(line.text)?.id
      if (id !== undefined) yield {...line, path, id}
    }
  }
}

export async function tracesIn(jobs: JobsAt, persons: readonly PersonNames[]) {
  type Place = readonly [id: string, {readonly path: string; readonly start: number}]
  const [rows, writes]: [Place[], Place[]] = [[], []]
  const ids = new Set(persons.map(({id}) => id))
  const about = persons.map((person) => [person.id, aboutOf([person])] as const)
  const isAbout = aboutOf(persons)
  for await (const path of journalsAt(jobs)) {
    for await (const {text, start} of linesOf(path)) {
      const line = parsedLine(text)
      // Samples do not say whose they are.
      if (line && 'coverage' in line && hasSamples(line.coverage)) for (const id of ids) rows.push([id, {path, start}])
      if (!line || !('row' in line) || !isPersonal(line) || !isAbout(line)) continue
      for (const [id, is] of about) if (is(line)) rows.push([id, {path, start}])
    }
  }
  for await (const {id, path, start} of writesAt(jobs)) if (ids.has(id)) writes.push([id, {path, start}])
  return {rows: grouped(rows), writes: grouped(writes)}
}

/** The emails that images of customers tell, which are theirs of the time before a change. */
export async function emailsInImages(jobs: JobsAt, ids: ReadonlySet<string>): Promise<PersonNames[]> {
  const found: PersonNames[] = []
  for await (const {id, text} of writesAt(jobs))
    if (ids.has(id)) found.push(...emailsIn(JSON.parse(text)).map((email) => ({id, email})))
  return found
}

/** The values of members named `email` or `oldEmail`, at any depth. */
export function emailsIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) =>
    typeof member === 'string' && /^(oldE|e)mail$/.test(name) ? [member] : emailsIn(member),
  )
}

export async function writesOf(jobs: JobsAt, wanted: string): Promise<number> {
  let count = 0
  for await (const {id} of writesAt(jobs)) if (id === wanted) count += 1
  return count
}

const planSuffix = '.plan'

/** Notes where a plan is written that its user will keep: an erasure names it if it says something of the person. */
export function notePlan(dir: string, name: string, path: string): void {
  mkdirSync(dir, {recursive: true, mode: 0o700})
  createPrivate(join(dir, `${name}${planSuffix}`), path)
}

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

/** How many rows say something of the persons, and the files of the user that jobs about them read or wrote. */
export async function mentionsOf(jobs: JobsAt, persons: readonly PersonNames[]) {
  const isAbout = aboutOf(persons)
  const files = new Set<string>()
  let rows = 0
  for await (const path of journalsAt(jobs)) {
    const report = reportPath(jobs.dir, basename(path, '.jsonl'))
    let isMet = false
    let own: readonly string[] = []
    for await (const {line} of readJournal(path)) {
      if ('files' in line) own = [...line.files.map(({name}) => name), ...(line.wrote ?? [])]
      if ('end' in line && line.report !== null && line.report !== report) own = [...own, line.report]
      if (!('row' in line) || !isAbout(line)) continue
      isMet = true
      if (isPersonal(line)) rows += 1
    }
    if (isMet) for (const name of own) files.add(name)
  }
  for await (const path of plansAbout(jobs.dir, persons)) files.add(path)
  return {rows, files: [...files].filter((name) => name !== 'standard input')}
}
