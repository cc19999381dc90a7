import {type MutationGroup, of} from './mutation.js'

/** Documents that go out as they are stored: which ones, to whom, and that each is the one that was asked for. */

const entry = of('src/store/lowdb/format/entry.ts')
const read = of('src/api/operation/read.ts')
const cache = of('src/store/lowdb/format/cache.ts')
const candidates = of('src/store/lowdb/memory/candidates.ts')
const collection = of('src/store/lowdb/memory/collection.ts')
const chunks = of('src/store/lowdb/segments/chunks.ts')
const literals = of('src/store/lowdb/format/literals.ts')
const lookUp = of('src/store/lowdb/memory/facet-look-up.ts')
const select = of('src/store/lowdb/memory/select.ts')
const newest = of('src/store/lowdb/memory/newest.ts')
const line = of('src/store/lowdb/format/stored-line.ts')

export const texts: MutationGroup = {
  tests: [
    'api/operation/stores',
    'store/lowdb/cache',
    'store/lowdb/format/stored-line',
    'store/lowdb/literals',
    'store/lowdb/passing',
    'store/adapters',
  ],
  mutations: [
    read(
      "a store's caller reads the customers of other stores",
      'context.storeKey === undefined ? textsFor(context, query) : undefined',
      'textsFor(context, query)',
    ),
    candidates(
      'an index decides conditions that it does not know',
      "where.op === 'compare' || where.op === 'in'",
      "where.op !== 'or'",
    ),
    literals('a scan looks for what only an index knows', '  if (field.facet !== undefined) return []\n', ''),
    literals('a scan of alternatives looks for one of them', 'groups.includes(undefined)', 'all.length === 0'),
    entry(
      'a scan passes over a document that has another literal',
      '!group.some(({tail}) => body.includes(tail))',
      '!group.every(({tail}) => body.includes(tail))',
    ),
    chunks('a scan believes lines that it does not look at', 'this.#verify(number, chunk)', ''),
    chunks(
      'a chunk that was verified is believed from then on',
      'this.#sums[number] === sum',
      'this.#sums[number] !== undefined',
    ),
    lookUp(
      'a look-up misses what is changed meanwhile',
      'else if (newer.version > 0 && newer.facets[this.#facet] === value) yield newer',
      '',
    ),
    lookUp(
      'a look-up finds what a newer version no longer has',
      'newer.version > 0 && newer.facets[this.#facet] === value',
      'newer.version > 0',
    ),
    select(
      'a page from an id on shows what another condition refuses',
      "!page.words && where?.op === 'compare' ? lowerBound(where)",
      '!page.words && where ? lowerBound(where)',
    ),
    newest(
      'a scan misses what is changed meanwhile',
      'return newer.version > 0 ? newer : undefined',
      'return undefined',
    ),
    newest('a scan finds what a newer version no longer has', 'passes(newest)) ? newest', 'true) ? newest'),
    line('a document is read over by the next one', 'parsed.body && JsonText.from(parsed.body)', 'parsed.body'),
    line('a damaged line is believed', '  if (!hasValidChecksum(bytes, start, end)) return undefined\n'),
    cache('documents that were read fill the memory', 'if (this.#bytes > this.#most)', 'if (this.#bytes < 0)'),
    cache('a document larger than the memory for them stays', '    if (bytes > this.#most) return\n'),
    cache('documents that were read once fill the memory', 'bytes * readShare <= this.#most', 'bytes <= this.#most'),
    collection(
      'a unique key finds the one who held it before',
      'isExclusive && !isShadowed(entry.id, this.#layers, depth)',
      'isExclusive',
    ),
  ],
}
