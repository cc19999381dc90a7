import {dirname, join} from 'node:path'
import type {Facets} from '../../store.js'
import {type MigrationMarker, markerId, markerKind, unfinishedMigration} from '../../unfinished-migration.js'
import {blockingFiles as files} from '../file/files.js'
import {isUnfinished, type Manifest} from '../file/manifest.js'
import {assertUsable} from '../folder/access.js'
import {catalogueName, isStateFile, listedProjects, projectDirectories, projectsIn} from '../folder/catalogue.js'
import {load} from '../folder/load.js'
import {lockName, readHolder} from '../folder/lock.js'
import type {Entry} from '../line/entry.js'
import {Cache} from '../table/cache.js'
import type {LoadOptions} from '../table/segment.js'
import type {State} from '../tree/state.js'
import {verifySnapshots} from './snapshot.js'
import {damageAt, type Finding, noting, verifyProject} from './verify.js'

export type {Finding} from './verify.js'

export interface Diagnosis {
  readonly projects: readonly {readonly name: string; readonly documents: number}[]
  readonly findings: readonly Finding[]
}

/** Verifies every byte of a state without changing it. Unfinished work of a live server may show as a note. */
export async function diagnose(dir: string, facets: Facets = {}): Promise<Diagnosis> {
  const findings: Finding[] = []
  const projects: {name: string; documents: number}[] = []
  await noting(findings, dir, () => assertUsable(files, dir, 'read'))
  await noting(findings, dir, () => readHolder(files, join(dir, lockName)))
  findings.push(...(await catalogueFindings(dir)))
  for (const name of await everyProject(dir)) {
    const diagnosis = await diagnoseProject(join(dir, name), facets)
    findings.push(...diagnosis.findings)
    if (diagnosis.documents !== undefined) projects.push({name, documents: diagnosis.documents})
  }
  findings.push(...(await verifySnapshots(dir)))
  return {projects, findings}
}

/** Projects that exist or are in the catalogue. */
async function everyProject(dir: string): Promise<string[]> {
  const listed = await listedProjects(files, dir).catch(() => undefined)
  return [...new Set([...(await projectDirectories(files, dir)), ...(listed ?? [])])].sort()
}

/** Findings about the catalogue of projects, and projects that are missing. */
export async function catalogueFindings(dir: string): Promise<Finding[]> {
  const findings: Finding[] = []
  const path = join(dir, catalogueName)
  const listed = await noting(findings, path, () => Promise.resolve(listedProjects(files, dir)))
  if (findings.length > 0) return findings
  if (listed) {
    const present = await projectsIn(files, dir, [])
    for (const name of listed.filter((project) => !present.includes(project))) {
      findings.push(damageAt(join(dir, name), `The files of the project ${name} in ${dir} are missing.`))
    }
    return findings
  }
  for (const name of await projectDirectories(files, dir)) {
    if (!(await files.list(join(dir, name))).some(isStateFile)) continue
    findings.push(damageAt(path, `${path} is missing, so it is unknown whether all projects are there.`))
    break
  }
  return findings
}

const documentsIn = (state: State): number =>
  [...state.collections.values()].reduce((sum, collection) => sum + collection.size, 0)

/** Diagnoses a project; `documents` is absent if it has no state or is unusable. */
export async function diagnoseProject(
  directory: string,
  facets: Facets,
): Promise<{documents?: number; findings: Finding[]}> {
  const {manifest, findings} = await verifyProject(files, directory)
  if (!manifest) return {findings}
  await noteRemains(directory, manifest, findings)
  if (findings.some(({severity}) => severity === 'damage')) return {findings}
  const options: LoadOptions = {
    files,
    facets,
    cache: new Cache<Entry>(0),
    writes: () => false,
    makeTexts: async () => undefined,
  }
  const loaded = await noting(findings, directory, () => load(directory, options))
  if (!loaded) return {findings}
  const {state} = loaded
  await noting(findings, directory, async () => checkDocuments(directory, state, findings))
  for (const {segments} of state.collections.values()) for (const segment of segments) segment.retire()
  return {documents: documentsIn(state), findings}
}

/** Notes files of an interrupted attempt, which the next commit removes. */
async function noteRemains(directory: string, manifest: Manifest, findings: Finding[]): Promise<void> {
  const named = new Set([...manifest.segments, ...manifest.journals].map(({file}) => file.replace(/\.[a-z]+$/, '')))
  for (const name of await files.list(directory)) {
    const isRest = /\.\d+\.(ndjson|idx|jsonl)$/.test(name) && !named.has(name.replace(/\.[a-z]+$/, ''))
    if (!isRest && !isUnfinished(name)) continue
    const path = join(directory, name)
    const remedy = 'Leave it; the next commit removes it.'
    findings.push({path, problem: `${path} was left by an interrupted write.`, severity: 'note', remedy})
  }
}

/** No unique key that one document holds exclusively may be held by another. */
function checkDocuments(directory: string, state: State, findings: Finding[]): void {
  const found: Finding[] = []
  const marker = state.collections.get(markerKind)?.get(markerId)
  if (marker) {
    const {path, message, remedy} = unfinishedMigration(marker.doc as MigrationMarker, dirname(directory))
    found.push(damageAt(path, message, remedy))
  }
  for (const [kind, collection] of state.collections) {
    for (const entry of collection.following(undefined)) {
      for (const {key, shared} of entry.uniqueKeys) {
        const others = shared ? [] : collection.holders(key).filter(({id}) => id !== entry.id)
        if (others.length === 0) continue
        const ids = [entry.id, ...others.map(({id}) => id)].join(', ')
        const problem = `${kind} ${ids} hold the same unique key ${key}.`
        found.push({path: directory, problem, severity: 'note', remedy: 'Change one of the documents.'})
      }
    }
  }
  findings.push(...found)
}
