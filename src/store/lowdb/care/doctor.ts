import {dirname, join} from 'node:path'
import type {Facets} from '../../store.js'
import {type MigrationMarker, markerId, markerKind, unfinishedMigration} from '../../unfinished-migration.js'
import type {State} from '../directory/state.js'
import {blockingFiles as files} from '../file/files.js'
import {assertUsable, catalogueName, listedProjects, projectDirectories, projectsIn} from '../folder/catalogue.js'
import {lockName, readHolder} from '../folder/lock.js'
import {verifySnapshots} from './snapshot.js'
import {damageAt, type Finding, noting, verifyProject} from './verify.js'

export type {Finding} from './verify.js'

export interface Diagnosis {
  readonly projects: readonly {readonly name: string; readonly documents: number}[]
  readonly findings: readonly Finding[]
}

/** Verifies every byte of a state without changing it. */
export async function diagnose(dir: string, facets: Facets = {}): Promise<Diagnosis> {
  const findings: Finding[] = []
  const projects: {name: string; documents: number}[] = []
  await noting(findings, dir, () => assertUsable(files, dir, 'read'))
  await noting(findings, dir, () => readHolder(files, join(dir, lockName)))
  findings.push(...(await catalogueFindings(dir)))
  for (const name of await projectDirectories(files, dir)) {
    const directory = join(dir, name)
    const {state, findings: found} = await verifyProject(files, directory, facets)
    findings.push(...found)
    if (!state || found.length > 0) continue
    findings.push(...unfinishedFindings(directory, state))
    projects.push({name, documents: state.size})
  }
  findings.push(...(await verifySnapshots(dir)))
  return {projects, findings}
}

export async function catalogueFindings(dir: string): Promise<Finding[]> {
  const findings: Finding[] = []
  const path = join(dir, catalogueName)
  const listed = await noting(findings, path, () => Promise.resolve(listedProjects(files, dir)))
  if (findings.length > 0) return findings
  const present = await projectsIn(files, dir, [])
  if (listed) {
    const missing = listed.filter((project) => !present.includes(project))
    return missing.map((name) => damageAt(join(dir, name), `The files of the project ${name} in ${dir} are missing.`))
  }
  const problem = `${path} is missing, so it is unknown whether all projects are there.`
  return present.length > 0 ? [damageAt(path, problem)] : []
}

/** A part of a state, as a copy that was broken off leaves it. */
function unfinishedFindings(directory: string, state: State): Finding[] {
  const marker = state.collections.get(markerKind)?.get(markerId)
  if (!marker) return []
  const {path, message, remedy} = unfinishedMigration(marker as unknown as MigrationMarker, dirname(directory))
  return [damageAt(path, message, remedy)]
}
