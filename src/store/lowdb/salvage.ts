import {join} from 'node:path'
import {LazyEntry} from './entry.js'
import type {Files} from './files.js'
import {parsedLine} from './line.js'
import {type Manifest, readManifest} from './manifest.js'
import {Overlay} from './overlay.js'
import {openPrivate} from './private.js'
import {linesOf} from './recovery.js'
import {parsedRunLine} from './run-line.js'

/** A place in a file that cannot be read. */
export interface Lost {
  readonly file: string
  readonly byte: number
}

export interface Salvaged {
  readonly kinds: ReadonlyMap<string, Overlay>
  readonly lost: readonly Lost[]
  /** The highest sequence that was seen. */
  readonly last: number
}

/** The number in a file's name; 0 for others. */
export const generationOf = (name: string): number => Number(/\.(\d+)\.(?:ndjson|idx|jsonl)$/.exec(name)?.[1] ?? 0)

/** Everything that can be read of a project's files, oldest first, whatever is wrong with the rest. */
export async function salvage(files: Files, directory: string): Promise<Salvaged> {
  const kinds = new Map<string, Overlay>()
  const lost: Lost[] = []
  let last = 0
  const {runs, journals} = await filesOf(files, directory)
  for (const {file, kind} of runs) {
    const overlay = overlayOf(kinds, kind)
    await readLines(files, directory, file, lost, (line) => {
      const parsed = parsedRunLine(line)
      // A copy, since the line lies in a chunk of the file.
      if (parsed) overlay.put(new LazyEntry(parsed.head, parsed.body && Buffer.from(parsed.body)), 0, true)
      return parsed !== undefined
    })
  }
  for (const file of journals) {
    await readLines(files, directory, file, lost, (bytes) => {
      const line = parsedLine(bytes)
      for (const operation of line?.operations ?? []) {
        const body = operation.body === undefined ? undefined : Buffer.from(operation.body)
        overlayOf(kinds, operation.kind).put(new LazyEntry(operation, body), 0, true)
      }
      last = Math.max(last, line?.sequence ?? 0)
      return line !== undefined
    })
  }
  return {kinds, lost, last}
}

function overlayOf(kinds: Map<string, Overlay>, kind: string): Overlay {
  const present = kinds.get(kind) ?? new Overlay()
  kinds.set(kind, present)
  return present
}

/** Runs and journals, oldest first: as the manifest says, or by their names if it cannot be read. */
async function filesOf(
  files: Files,
  directory: string,
): Promise<{runs: readonly {file: string; kind: string}[]; journals: readonly string[]}> {
  const names = await files.list(directory)
  const manifest = await readManifest(files, directory).catch((): Manifest | undefined => undefined)
  if (manifest) {
    const runs = manifest.runs.filter(({file}) => names.includes(file)).reverse()
    return {runs, journals: manifest.journals.map(({file}) => file).filter((file) => names.includes(file))}
  }
  const sorted = [...names].sort((a, b) => generationOf(a) - generationOf(b))
  const runs = sorted
    .filter((name) => /\.\d+\.ndjson$/.test(name))
    .map((file) => ({file, kind: decodeURIComponent(file.replace(/\.\d+\.ndjson$/, ''))}))
  return {runs, journals: sorted.filter((name) => /^journal\.\d+\.jsonl$/.test(name))}
}

async function readLines(
  files: Files,
  directory: string,
  file: string,
  lost: Lost[],
  take: (line: Buffer) => boolean,
): Promise<void> {
  const {fd, size} = await openPrivate(files, join(directory, file), 'read')
  try {
    for (const {bytes, start} of linesOf(files, fd, size)) if (!take(bytes)) lost.push({file, byte: start})
  } finally {
    await files.close(fd)
  }
}
