import {join} from 'node:path'
import {StateError} from '../../domain/errors.js'
import {asStateError} from '../../files/file-errors.js'
import {liveHolder} from '../locator.js'
import type {Facets} from '../store.js'
import {Cache} from './cache.js'
import {checksumOf} from './checksum.js'
import type {Entry} from './entry.js'
import {blockingFiles as files, readAll} from './files.js'
import {load} from './load.js'
import {type Manifest, manifestName, type RunFile, readManifest} from './manifest.js'
import {adoptDirectory, openPrivate} from './private.js'
import {projectDirectories} from './projects.js'
import {linesOf} from './recovery.js'
import {parsedRunLine} from './run-line.js'
import type {State} from './state.js'
import {refuseUnfinishedRestore} from './unfinished-restore.js'

/** Something that is not as it should be. */
export interface Finding {
  readonly path: string
  readonly problem: string
  /** Damage makes the state refused; a note does not. */
  readonly severity: 'damage' | 'note'
  /** What to do, as one imperative sentence. */
  readonly wayBack: string
}

export interface Diagnosis {
  readonly projects: readonly {readonly name: string; readonly documents: number}[]
  readonly findings: readonly Finding[]
}

/**
 * Reads every byte of a state and says what is wrong with it; changes nothing. While a server writes, what it is about
 * to finish may show as a note.
 */
export async function diagnose(dir: string, facets: Facets = {}): Promise<Diagnosis> {
  const findings: Finding[] = []
  const projects: {name: string; documents: number}[] = []
  await noting(findings, dir, async () => {
    await adoptDirectory(files, dir)
    await refuseUnfinishedRestore(files, dir)
    liveHolder(dir)
  })
  for (const name of await projectDirectories(files, dir)) {
    const diagnosis = await diagnoseProject(join(dir, name), facets)
    findings.push(...diagnosis.findings)
    if (diagnosis.documents !== undefined) projects.push({name, documents: diagnosis.documents})
  }
  return {projects, findings}
}

const documentsIn = (state: State): number =>
  [...state.collections.values()].reduce((sum, collection) => sum + collection.size, 0)

/** Without a number of documents for a project that has no state or cannot be used. */
export async function diagnoseProject(
  directory: string,
  facets: Facets,
): Promise<{documents?: number; findings: Finding[]}> {
  const findings: Finding[] = []
  const manifest = await noting(findings, directory, () => readManifest(files, directory))
  if (!manifest) return {findings}
  for (const run of manifest.runs) {
    const path = join(directory, run.file)
    await noting(findings, path, () => checkRun(path, run, findings))
  }
  await noteRemains(directory, manifest, findings)
  const options = {files, facets, cache: new Cache<Entry>(0), writes: false}
  const loaded = await noting(findings, directory, () => load(directory, options))
  if (!loaded) return {findings}
  await noting(findings, directory, async () => checkClaims(directory, loaded.state, findings))
  for (const {runs} of loaded.state.collections.values()) for (const run of runs) run.retire()
  return {documents: documentsIn(loaded.state), findings}
}

async function noting<T>(findings: Finding[], path: string, check: () => Promise<T>): Promise<T | undefined> {
  try {
    return await check()
  } catch (error) {
    const known = asStateError(error, path)
    if (!(known instanceof StateError)) throw error
    const finding = {path: known.path, problem: known.message, severity: 'damage' as const, wayBack: known.wayBack}
    if (!findings.some(({problem}) => problem === finding.problem)) findings.push(finding)
    return undefined
  }
}

const repairWay = "Run 'frontdesk server doctor --repair' to keep all that can be read."

async function checkRun(path: string, run: RunFile, findings: Finding[]): Promise<void> {
  const {fd, size} = await openPrivate(files, path, 'read')
  const damaged: number[] = []
  let crc32 = 0
  try {
    for (const {bytes, start} of linesOf(files, fd, size)) if (!parsedRunLine(bytes)) damaged.push(start)
    for (let position = 0; position < size; position += 1 << 20) {
      crc32 = checksumOf(readAll(files, fd, position, 1 << 20), crc32)
    }
  } finally {
    await files.close(fd)
  }
  if (size === run.bytes && crc32 === run.crc32 && damaged.length === 0) return
  const where = damaged.length > 0 ? ` Lines at bytes ${damaged.slice(0, 5).join(', ')} cannot be read.` : ''
  const problem = `${path} is not what was written (${size} of ${run.bytes} bytes).${where}`
  findings.push({path, problem, severity: 'damage', wayBack: repairWay})
}

/** Files of an attempt that was interrupted: the next commit removes them. */
async function noteRemains(directory: string, manifest: Manifest, findings: Finding[]): Promise<void> {
  const named = new Set([...manifest.runs, ...manifest.journals].map(({file}) => file.replace(/\.[a-z]+$/, '')))
  for (const name of await files.list(directory)) {
    const isRest = /\.\d+\.(ndjson|idx|jsonl)$/.test(name) && !named.has(name.replace(/\.[a-z]+$/, ''))
    if (!isRest && !name.startsWith(`${manifestName}.`)) continue
    const path = join(directory, name)
    const wayBack = 'Leave it; the next commit removes it.'
    findings.push({path, problem: `${path} was left by an interrupted write.`, severity: 'note', wayBack})
  }
}

/** No claim may be held exclusively by one document and held by another one as well. */
async function checkClaims(directory: string, state: State, findings: Finding[]): Promise<void> {
  for (const [kind, collection] of state.collections) {
    for (const entry of collection.following(undefined)) {
      for (const {key, shared} of entry.claims) {
        const others = shared ? [] : collection.holders(key).filter(({id}) => id !== entry.id)
        if (others.length === 0) continue
        const ids = [entry.id, ...others.map(({id}) => id)].join(', ')
        const problem = `${kind} ${ids} hold the same claim ${key}.`
        findings.push({path: directory, problem, severity: 'note', wayBack: 'Change one of the documents.'})
      }
    }
  }
}
