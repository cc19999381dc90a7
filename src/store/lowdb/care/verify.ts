import {basename, dirname, join} from 'node:path'
import {StateError} from '../../../domain/errors.js'
import {asStateError} from '../../../files/file-errors.js'
import type {Facets} from '../../store.js'
import {type MigrationMarker, markerId, markerKind} from '../../unfinished-migration.js'
import {Documents} from '../directory/documents.js'
import type {State} from '../directory/state.js'
import {blockingFiles, type Files, toDoctor} from '../file/files.js'
import {closeChain, numberOf, openChain, pathOf} from '../folder/chain.js'
import {damageText, readChain} from '../folder/load.js'
import {listedProjects, projectsIn} from '../folder/state-folder.js'

export interface Finding {
  readonly path: string
  readonly problem: string
  /** `damage`: acknowledged state is missing or unreadable. `note`: no loss. */
  readonly severity: 'damage' | 'note'
  /** How to recover, as one imperative sentence. */
  readonly remedy: string
}

export const repairRemedy = "Restore a snapshot, or run 'frontdesk server doctor --repair' to keep what can be read."

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
    const known = asStateError(error, path)
    if (!(known instanceof StateError)) throw error
    const finding = damageAt(known.path, known.message, known.remedy === toDoctor ? repairRemedy : known.remedy)
    if (!findings.some(({problem}) => problem === finding.problem)) findings.push(finding)
    return undefined
  }
}

interface Verified {
  /** Undefined if it was never written, or its files do not open. */
  readonly state: State | undefined
  readonly findings: Finding[]
  /** In a part of a state, as a copy that was broken off leaves it. */
  readonly marker?: MigrationMarker | undefined
}

/** Reads every commit of a project, without its hint. */
export async function verifyProject(files: Files, directory: string, facets: Facets = {}): Promise<Verified> {
  const findings: Finding[] = []
  const opening = {files, directory, facets, documents: new Documents(0, 0)}
  const chain = await noting(findings, directory, () => openChain(opening))
  if (!chain) {
    const listed = await listedProjects(files, dirname(directory)).catch(() => undefined)
    if (findings.length === 0 && listed?.includes(basename(directory)) && (await files.list(directory)).some(numberOf))
      findings.push(damageAt(directory, `${directory} has no file that can be read.`))
    return {state: undefined, findings}
  }
  try {
    const {state, damaged, counted} = await readChain(chain, opening)
    for (const one of damaged) findings.push(damageAt(pathOf(directory, one[0]), damageText(directory, one)))
    const [path, size] = [chain.parts.at(-1)?.file.path ?? '', chain.parts.at(-1)?.end ?? 0]
    const rest = size - (counted.at(-1)?.[1] ?? size)
    if (rest > 0 && findings.length === 0) {
      const problem = `${path} ends in ${rest} bytes of a write that never finished, or is being made.`
      const remedy = 'Nothing has to be done: nobody reads them.'
      findings.push({path, problem, severity: 'note', remedy})
    }
    const marker = state.collections.get(markerKind)?.get(markerId)?.doc as MigrationMarker | undefined
    return {state, findings, marker}
  } finally {
    closeChain(chain)
  }
}

/** Reads every byte of a folder. Throws StateCorrupt for the first damage in any project. */
export async function assertVerified(dir: string): Promise<void> {
  for (const project of await projectsIn(blockingFiles, dir)) {
    const {findings} = await verifyProject(blockingFiles, join(dir, project))
    const damage = findings.find(({severity}) => severity === 'damage')
    if (damage) throw new StateError('StateCorrupt', damage.problem, damage.path, damage.remedy)
  }
}
