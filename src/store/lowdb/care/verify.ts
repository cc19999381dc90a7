import {basename, dirname, join} from 'node:path'
import {StateError} from '../../../domain/errors.js'
import {asStateError} from '../../../files/file-errors.js'
import type {Facets} from '../../store.js'
import type {DataFile} from '../directory/data-file.js'
import {Documents} from '../directory/documents.js'
import type {Counted, SetAside} from '../directory/hint.js'
import {State} from '../directory/state.js'
import {type Files, hasCode} from '../file/files.js'
import {isStateFile, listedProjects, projectsIn} from '../folder/catalogue.js'
import {type Chain, closeChain, openChain, pathOf} from '../folder/chain.js'
import {isAsClosed, notAsClosed, readPart} from '../folder/load.js'
import type {Reach} from '../line/line.js'

/** A problem of the state. */
export interface Finding {
  readonly path: string
  readonly problem: string
  /** `damage`: acknowledged state is missing or unreadable. `note`: no loss. */
  readonly severity: 'damage' | 'note'
  /** How to recover, as one imperative sentence. */
  readonly remedy: string
}

const repairRemedy = "Run 'frontdesk server doctor --repair' to keep all that can be read."

export const damageAt = (path: string, problem: string, remedy = repairRemedy): Finding => ({
  path,
  problem,
  severity: 'damage',
  remedy,
})

/** Runs a check and records its StateError as a finding; rethrows any other error. */
export async function noting<T>(findings: Finding[], path: string, check: () => Promise<T>): Promise<T | undefined> {
  try {
    return await check()
  } catch (error) {
    if (hasCode(error, 'ENOENT')) {
      findings.push(damageAt(path, `A file of ${path} is missing.`))
      return undefined
    }
    const known = asStateError(error, path)
    if (!(known instanceof StateError)) throw error
    const finding = damageAt(known.path, known.message, known.remedy)
    if (!findings.some(({problem}) => problem === finding.problem)) findings.push(finding)
    return undefined
  }
}

/** What the files of a project have. */
interface Verified {
  /** Undefined if it was never written, or its files do not open. */
  readonly state: State | undefined
  readonly findings: Finding[]
}

/** Reads every commit of a project, without its hint. */
export async function verifyProject(files: Files, directory: string, facets: Facets = {}): Promise<Verified> {
  const findings: Finding[] = []
  const opening = {files, directory, documents: new Documents(0, 0)}
  const chain = await noting(findings, directory, () => openChain(opening))
  if (!chain) {
    const listed = await listedProjects(files, dirname(directory)).catch(() => undefined)
    const isMade = (await files.list(directory)).some(isStateFile)
    const isLost = findings.length === 0 && isMade && listed?.includes(basename(directory))
    if (isLost) findings.push(damageAt(directory, `${directory} has no file that can be read.`))
    return {state: undefined, findings}
  }
  try {
    const {state, damaged, reach, newest, isClosed} = await readWhole(files, chain, facets)
    for (const [number, at] of damaged) {
      const path = pathOf(directory, number)
      findings.push(damageAt(path, `${path} is damaged at byte ${at}.`))
    }
    if (!isClosed) findings.push(damageAt(newest.path, notAsClosed(chain).message))
    const rest = (chain.parts.at(-1)?.end ?? 0) - reach.end
    if (rest > 0 && findings.length === 0) {
      const problem = `${newest.path} ends in ${rest} bytes of a write that never finished, or is being made.`
      const remedy = 'Nothing has to be done: nobody reads them.'
      findings.push({path: newest.path, problem, severity: 'note', remedy})
    }
    return {state, findings}
  } finally {
    closeChain(chain)
  }
}

/** What can be read of the files of a project. */
interface Whole {
  readonly state: State
  /** Commits that cannot be read. */
  readonly damaged: readonly SetAside[]
  /** How far each file counts. */
  readonly counted: readonly Counted[]
  readonly newest: DataFile
  readonly reach: Reach
  /** Whether the newest file ends where its holder has closed it. */
  readonly isClosed: boolean
}

/** Reads every commit of the files of a project. */
export async function readWhole(files: Files, chain: Chain, facets: Facets = {}): Promise<Whole> {
  const state = new State(facets)
  const [damaged, counted]: [SetAside[], Counted[]] = [[], []]
  let reach: Reach = {end: 0, checksum: 0}
  for (const [at, {file, end, checksum}] of chain.parts.entries()) {
    const reading = readPart(chain, at, {end: 0, checksum: 0}, state)
    for (const begin of reading.damaged) damaged.push([file.number, begin])
    const isCut =
      at < chain.parts.length - 1 && (reading.end !== end || (checksum !== 0 && reading.checksum !== checksum))
    if (isCut && reading.damaged.length === 0) damaged.push([file.number, reading.end])
    counted.push([file.number, reading.end, reading.checksum])
    reach = reading
  }
  const isClosed = await isAsClosed(files, chain, reach)
  return {state, damaged, counted, newest: chain.parts.at(-1)?.file as DataFile, reach, isClosed}
}

/** Throws StateCorrupt for the first damage in any project of a folder. */
export async function assertVerified(files: Files, dir: string): Promise<void> {
  for (const project of await projectsIn(files, dir)) {
    const {findings} = await verifyProject(files, join(dir, project))
    const damage = findings.find(({severity}) => severity === 'damage')
    if (damage) throw new StateError('StateCorrupt', damage.problem, damage.path, damage.remedy)
  }
}
