import {compareText} from '../../../query/text-order.js'
import type {Entry} from '../format/entry.js'
import type {Layer} from '../format/layer.js'

type Entries = Generator<Entry | undefined>

/**
 * Documents that are found in any of the layers and whose newest version passes, ascending by id; undefined marks a step of
 * work. A document that changes meanwhile is not missed if it passes before and after.
 */
export function* newest(
  layers: readonly Layer[],
  find: (layer: Layer) => Entries,
  passes: (entry: Entry) => boolean,
): Entries {
  const sources = layers.map((layer, depth) => inNewestVersion(find(layer), layers.slice(0, depth), passes))
  const heads: (Entry | undefined)[] = []
  try {
    for (const source of sources) heads.push(yield* nextOf(source))
    for (let last: string | undefined; ; ) {
      const at = leastOf(heads)
      const head = heads[at]
      if (!head) return
      // A newer layer may have it, or what is read in its place may stand there since.
      if (head.id !== last) yield head
      last = head.id
      heads[at] = yield* nextOf(sources[at] as Entries)
    }
  } finally {
    for (const source of sources) source.return(undefined)
  }
}

function* nextOf(source: Entries): Generator<undefined, Entry | undefined> {
  for (;;) {
    const {done, value} = source.next()
    if (done || value) return value
    yield
  }
}

function leastOf(heads: readonly (Entry | undefined)[]): number {
  let least = -1
  for (let at = 0; at < heads.length; at += 1) {
    const head = heads[at]
    if (head && (least < 0 || compareText(head.id, (heads[least] as Entry).id) < 0)) least = at
  }
  return least
}

function* inNewestVersion(entries: Entries, above: readonly Layer[], passes: (entry: Entry) => boolean): Entries {
  for (const entry of entries) {
    const newest = entry && passes(entry) ? newestOf(entry, above) : undefined
    yield newest && (newest === entry || passes(newest)) ? newest : undefined
  }
}

/** Undefined for a document that was removed. */
function newestOf(entry: Entry, above: readonly Layer[]): Entry | undefined {
  for (const layer of above) {
    const newer = layer.get(entry.id)
    if (newer) return newer.version > 0 ? newer : undefined
  }
  return entry
}
