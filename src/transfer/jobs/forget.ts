import {constants, statSync} from 'node:fs'
import {open} from 'node:fs/promises'
import {basename, dirname, join} from 'node:path'
import {grouped} from '../../domain/equal.js'
import {removeQuietly} from '../../files/private-file.js'
import {withoutSamples} from '../check/coverage.js'
import {lineAt} from '../files/lines.js'
import {imageIn} from './before-images.js'
import {filesIn, headerOf, mayForget, reportPath} from './jobs.js'
import {parsedLine} from './journal.js'
import type {RowLine} from './journal-lines.js'
import {hasEnded, memoryFiles} from './memory.js'
import {writeReport} from './report.js'
import type {Traces} from './traces.js'

/** What the files of jobs say of persons goes with an erasure, and each file after its days. */

const {O_NOFOLLOW = 0, O_RDWR} = constants

/** Of the files of jobs, and of the changes of one customer. */
const nameForm = /^\d{8}-\d{9}-(?:[0-9a-f]{6}){1,2}\./

/** Removes the files of jobs that nobody has written since. */
export async function pruneJobs(dir: string, before: number): Promise<void> {
  const isOld = (path: string): boolean => (statSync(path, {throwIfNoEntry: false})?.mtimeMs ?? before) < before
  for (const name of filesIn(dir)) {
    const [start] = nameForm.exec(name) ?? []
    if (!start || !isOld(join(dir, name)) || !(await mayForget(dir, start.slice(0, -1)))) continue
    removeQuietly(join(dir, name))
  }
  // Of the digests of a target all stay while runs come, since what was written long ago counts as well.
  const targetOf = (path: string) => basename(path).slice(0, 'written-'.length + 16)
  const memories = memoryFiles(dir)
  const inUse = new Set<string>()
  for (const path of memories) if (!isOld(path) || !(await hasEnded(path))) inUse.add(targetOf(path))
  for (const path of memories) if (!inUse.has(targetOf(path))) removeQuietly(path)
}

/** The row without what its source says of the person. Its outcome stays, so that the job can go on. */
function withoutPerson({record: _, further: __, customer: ___, empty: ____, ...row}: RowLine): object {
  return row.outcome === 'failed' ? {...row, message: ''} : row
}

/** Overwrites lines of a file in place, since a job may be appending to it. */
async function overwrite(path: string, starts: Iterable<number>, replaced: (text: string) => string): Promise<void> {
  const file = await open(path, O_RDWR | O_NOFOLLOW)
  try {
    for (const start of starts) {
      const line = await lineAt(file, start)
      const bytes = Buffer.alloc(line.length, ' ')
      bytes.write(replaced(line.toString()))
      await file.write(bytes, 0, bytes.length, start)
    }
    await file.datasync()
  } finally {
    await file.close()
  }
}

/** Overwrites the rows about persons in journals, and writes the tables of failed rows without them. */
export async function forgetRows({rows}: Traces, ids: readonly string[]): Promise<void> {
  for (const [path, starts] of startsOf(rows, ids)) {
    await overwrite(path, starts, (text) => {
      const line = parsedLine(text)
      if (line && 'coverage' in line) return JSON.stringify({coverage: withoutSamples(line.coverage)})
      return line && 'row' in line ? JSON.stringify(withoutPerson(line)) : text
    })
    const report = reportPath(dirname(path), basename(path, '.jsonl'))
    const names = ((await headerOf(path))?.files ?? []).map(({name}) => name)
    if (statSync(report, {throwIfNoEntry: false})) await writeReport(path, report, names)
  }
}

/** Overwrites what writes left of customers who are gone: what undo would put back, and digests of what runs wrote. */
export async function forgetWrites({writes}: Traces, ids: readonly string[]): Promise<void> {
  for (const [path, starts] of startsOf(writes, ids))
    await overwrite(path, starts, (text) => (ids.includes(imageIn(text)?.id ?? '') ? '' : text))
}

function startsOf(places: Traces['rows'], ids: readonly string[]): ReadonlyMap<string, ReadonlySet<number>> {
  const pairs = ids.flatMap((id) => (places.get(id) ?? []).map(({path, start}) => [path, start] as const))
  const starts = [...grouped(pairs)].filter(([path]) => statSync(path, {throwIfNoEntry: false}))
  return new Map(starts.map(([path, own]) => [path, new Set(own)]))
}
