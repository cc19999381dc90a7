import {join} from 'node:path'
import {StateError} from '../../../domain/errors.js'
import {asStateError} from '../../../files/file-errors.js'
import {compareText} from '../../../query/text-order.js'
import {type Files, hasCode, readingAt} from '../file/files.js'
import {LineReader} from '../file/lines.js'
import {indexName, type Manifest, readManifest, type SegmentFile} from '../file/manifest.js'
import {ifThere, withFile} from '../file/private.js'
import {projectsIn} from '../folder/catalogue.js'
import {Entry} from '../line/entry.js'
import {replayFile} from '../line/replay.js'
import {SegmentIndex} from '../table/segment-index.js'

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
      findings.push(damageAt(path, `${path} is missing.`))
      return undefined
    }
    const known = asStateError(error, path)
    if (!(known instanceof StateError)) throw error
    const finding = damageAt(known.path, known.message, known.remedy)
    if (!findings.some(({problem}) => problem === finding.problem)) findings.push(finding)
    return undefined
  }
}

/** Checks existence, length and checksums of the files of a manifest. Indexes are caches: their problems are notes. */
export async function verify(files: Files, directory: string, manifest: Manifest): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const segment of manifest.segments) {
    const path = join(directory, segment.file)
    await noting(findings, path, () => verifySegment(files, path, segment, findings))
    await verifyIndex(files, join(directory, indexName(segment.file)), segment, findings)
  }
  for (const journal of manifest.journals) {
    const path = join(directory, journal.file)
    await noting(findings, path, () => replayFile(files, {...journal, path}))
  }
  return findings
}

/** Files of a project that are missing or truncated, without reading them. */
export async function missingFiles(files: Files, directory: string): Promise<Finding[]> {
  const findings: Finding[] = []
  const manifest = await noting(findings, directory, () => readManifest(files, directory))
  if (!manifest && findings.length === 0) return [damageAt(directory, `The files in ${directory} are missing.`)]
  for (const {file, bytes = 0} of [...(manifest?.segments ?? []), ...(manifest?.journals ?? [])]) {
    const path = join(directory, file)
    const stat = await files.stat(path)
    if (!stat) findings.push(damageAt(path, `${path} is missing.`))
    else if (stat.size < bytes) findings.push(damageAt(path, `${path} has ${stat.size} of ${bytes} bytes.`))
  }
  return findings
}

const looks = 5

/** `verify` for the newest manifest of a project, which its writer may replace meanwhile. */
export async function verifyProject(
  files: Files,
  directory: string,
): Promise<{readonly manifest: Manifest | undefined; readonly findings: Finding[]}> {
  for (let look = 1; ; look += 1) {
    const findings: Finding[] = []
    const manifest = await noting(findings, directory, () => readManifest(files, directory))
    if (!manifest) return {manifest, findings}
    findings.push(...(await verify(files, directory, manifest)))
    if (findings.length === 0 || look === looks) return {manifest, findings}
    const now = await readManifest(files, directory).catch(() => undefined)
    if (now?.generation === manifest.generation) return {manifest, findings}
  }
}

/** Throws StateCorrupt for the first damage in any project of a folder. */
export async function assertVerified(files: Files, dir: string): Promise<void> {
  for (const project of await projectsIn(files, dir)) {
    const {findings} = await verifyProject(files, join(dir, project))
    const damage = findings.find(({severity}) => severity === 'damage')
    if (damage) throw new StateError('StateCorrupt', damage.problem, damage.path, damage.remedy)
  }
}

const verifySegment = (files: Files, path: string, segment: SegmentFile, findings: Finding[]): Promise<void> =>
  withFile(files, path, (fd, size) => {
    const {crc32, damaged} = inspectSegment(files, fd, size)
    if (size === segment.bytes && crc32 === segment.crc32 && damaged.length === 0) return
    const where = damaged.length > 0 ? ` Lines at bytes ${damaged.slice(0, 5).join(', ')} cannot be read.` : ''
    findings.push(damageAt(path, `${path} is not what was written (${size} of ${segment.bytes} bytes).${where}`))
  })

async function verifyIndex(files: Files, path: string, segment: SegmentFile, findings: Finding[]): Promise<void> {
  const opened = withFile(files, path, (fd) => {
    try {
      const index = SegmentIndex.open(readingAt(files, fd), path, segment)
      index?.verify()
      return index ? '' : 'is not that of its segment'
    } catch {
      return 'is damaged'
    }
  })
  const problem = (await ifThere(opened)) ?? 'is missing'
  if (problem === '') return
  const remedy = 'Leave it; whoever uses it next makes it again.'
  findings.push({path, problem: `The index ${path} ${problem}.`, severity: 'note', remedy})
}

/** What the lines of a segment are like. */
export interface Inspection {
  readonly lines: number
  readonly crc32: number
  /** Where lines begin that cannot be read. */
  readonly damaged: readonly number[]
  /** Whether the ids ascend. */
  readonly isSorted: boolean
}

/** Reads every line of a segment, whatever its damage, and shows the entries of those that can be read. */
export function inspectSegment(
  files: Files,
  fd: number,
  size: number,
  see: (entry: Entry) => void = () => {},
): Inspection {
  const damaged: number[] = []
  let [lines, isSorted] = [0, true]
  let before: string | undefined
  const reader = new LineReader(files, fd, size)
  while (reader.next()) {
    lines += 1
    const entry = Entry.ofLine(reader.chunk, reader.start, reader.end)
    if (!entry || !reader.isWhole) damaged.push(reader.position)
    if (!entry) continue
    isSorted &&= before === undefined || compareText(before, entry.id) < 0
    before = entry.id
    see(entry)
  }
  return {lines, crc32: reader.crc32, damaged, isSorted}
}
