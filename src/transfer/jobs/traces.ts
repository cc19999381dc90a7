import {hasSamples} from '../check/coverage.js'
import {linesOf} from '../files/lines.js'
import {imageIn} from './before-images.js'
import {aboutOf, filesById, isPersonal, type PersonNames, type Traces} from './forget.js'
import {jobNames, journalPath} from './jobs.js'
import {parsedLine} from './journal.js'

/** Finds what the files of jobs say of persons, each file once. */
export async function tracesIn(dir: string, persons: readonly PersonNames[]): Promise<Traces> {
  const traces = new Map<string, Map<string, number[]>>()
  const note = (id: string, path: string, start: number) => {
    const ofPerson = traces.get(id) ?? new Map<string, number[]>()
    const starts = ofPerson.get(path) ?? []
    starts.push(start)
    traces.set(id, ofPerson.set(path, starts))
  }
  const ids = new Set(persons.map(({id}) => id))
  const about = persons.map((person) => [person.id, aboutOf([person])] as const)
  const isAbout = aboutOf(persons)
  for (const job of await jobNames(dir)) {
    const path = journalPath(dir, job)
    for await (const {text, start} of linesOf(path)) {
      const line = parsedLine(text)
      // Samples do not say whose they are.
      if (line && 'coverage' in line && hasSamples(line.coverage)) for (const id of ids) note(id, path, start)
      if (!line || !('row' in line) || !isPersonal(line) || !isAbout(line)) continue
      for (const [id, is] of about) if (is(line)) note(id, path, start)
    }
  }
  for (const path of filesById(dir)) {
    for await (const {text, start} of linesOf(path)) {
      const id = imageIn(text)?.id ?? ''
      if (ids.has(id)) note(id, path, start)
    }
  }
  return traces
}
