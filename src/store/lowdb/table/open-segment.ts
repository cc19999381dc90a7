import {join} from 'node:path'
import type {Facets} from '../../store.js'
import {corrupt} from '../file/failures.js'
import {type Files, readInto} from '../file/files.js'
import {indexName, type SegmentFile} from '../file/manifest.js'
import {ifThere, openPrivate} from '../file/private.js'
import type {Entry} from '../line/entry.js'
import {facetSignature, facetsOf} from '../line/facets.js'
import type {Cache} from './cache.js'
import type {PageBudget} from './page-budget.js'
import type {ReadAt} from './pages.js'
import {Segment} from './segment.js'
import {SegmentIndex} from './segment-index.js'

export interface LoadOptions {
  readonly files: Files
  readonly facets: Facets
  readonly cache: Cache<Entry>
  /** Of the pages of indexes; absent: all stay. */
  readonly pageBudget?: PageBudget
  /** Whether this process may write a missing index. */
  readonly writes: () => boolean
}

/** Scans of larger segments do not fill the cache. */
const cachedScanBytes = 64 << 20

/** Opens a segment of the manifest with its index, which is rebuilt if it is missing or does not match. */
export async function openSegment(directory: string, file: SegmentFile, options: LoadOptions): Promise<Segment> {
  const {files, cache, facets, writes} = options
  const path = join(directory, file.file)
  const indexPath = join(directory, indexName(file.file))
  const {fd, size} = await openPrivate(files, path, 'read')
  const fds = [fd]
  try {
    if (size !== file.bytes) throw corrupt(`${path} has ${size} bytes instead of ${file.bytes}.`, path)
    const index = await openIndex(indexPath, file, fds, options)
    const hasFacets = file.facets === facetSignature(facetsOf(facets, file.kind))
    const use = {cache, writes, hasFacets, cachesScans: file.bytes <= cachedScanBytes}
    const segment = new Segment(files, {file, path, indexPath, fds, index}, use)
    if (!index) await segment.rebuildIndex()
    return segment
  } catch (error) {
    for (const open of fds) await files.close(open)
    throw error
  }
}

async function openIndex(path: string, file: SegmentFile, fds: number[], {files, pageBudget}: LoadOptions) {
  const opened = await ifThere(openPrivate(files, path, 'read'))
  if (!opened) return undefined
  const {fd} = opened
  fds.push(fd)
  const read: ReadAt = (position, length, target = Buffer.allocUnsafeSlow(length)) =>
    readInto(target, length, files, fd, position)
  return SegmentIndex.open(read, path, file, pageBudget)
}
