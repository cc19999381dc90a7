import {compareText} from '../../../query/text-order.js'
import type {Entry} from '../line/entry.js'
import type {Layer} from '../table/layer.js'

interface Identified {
  readonly id: string
}

/**
 * Merges sorted sources, newest first: of entries with the same id, that of the newest source wins. Undefined marks a step of
 * work without an entry. A source may yield one object again and again: it is asked for the next one when this one was used.
 */
export function merged<T extends Identified, S extends T | undefined>(sources: readonly Generator<S>[]): Generator<S> {
  const [only] = sources
  return only && sources.length === 1 ? only : mergedAll(sources)
}

function* mergedAll<T extends Identified, S extends T | undefined>(sources: readonly Generator<S>[]): Generator<S> {
  const heads: S[] = []
  try {
    for (const source of sources) heads.push(yield* nextOf(source))
    for (;;) {
      const least = leastOf(heads)
      if (!least) return
      const {id} = least
      yield least
      for (let at = 0; at < heads.length; at += 1) {
        if (heads[at]?.id === id) heads[at] = yield* nextOf(sources[at] as Generator<S>)
      }
    }
  } finally {
    for (const source of sources) source.return(undefined)
  }
}

function* nextOf<S extends Identified | undefined>(source: Generator<S>): Generator<S, S> {
  for (;;) {
    const {done, value} = source.next() as IteratorResult<S, S>
    if (done || value) return value
    yield value
  }
}

function leastOf<S extends Identified | undefined>(heads: readonly S[]): S | undefined {
  let least: S | undefined
  for (const head of heads) if (head && (!least || compareText(head.id, least.id) < 0)) least = head
  return least
}

/** Entries in their newest version, where both pass: one that passes before and after a change is not missed. */
export function* inNewestVersion(
  entries: Iterable<Entry | undefined>,
  above: readonly Layer[],
  passes: (entry: Entry) => boolean,
): Generator<Entry | undefined> {
  for (const entry of entries) {
    const newest = entry && passes(entry) ? (hiding(entry, above, above.length) ?? entry) : undefined
    yield newest && newest.version > 0 && (newest === entry || passes(newest)) ? newest : undefined
  }
}

/** What the first layers have of a document that one below has, its tombstone included. */
export function hiding(document: {readonly id: string}, layers: readonly Layer[], depth: number): Entry | undefined {
  for (let at = 0; at < depth; at += 1) {
    const layer = layers[at] as Layer
    const entry = layer.onlyAdds ? undefined : layer.get(document.id)
    if (entry) return entry
  }
  return undefined
}

/** What the layers have of a document, its tombstone included. */
export function newerOf(id: string, layers: readonly Layer[]): Entry | undefined {
  for (const layer of layers) {
    const entry = layer.get(id)
    if (entry) return entry
  }
  return undefined
}
