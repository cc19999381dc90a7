import {defined} from '../../domain/equal.js'
import {allOf, follows} from '../../query/predicates.js'
import {CachedCandidate, Ranking} from '../adapter/ranking.js'
import type {Scans} from '../adapter/scans.js'
import type {Contains, Matches, Search, SearchText} from '../searchable.js'
import type {Document, Facets} from '../store.js'
import {type Connections, pagesOf, type Run} from './connection/connections.js'
import {getDocument} from './schema/statements.js'
import {frozenDocument, restored, storable} from './schema/text-form.js'
import {Selection} from './select.js'

/** Rows of search texts that are read at a time, documents of which their texts do not tell, others, and bytes of these. */
const [textRows, undecidedRows, documentRows, documentBytes] = [1_000, 50, 500, 16 << 20]

/** Lends a connection for a page, not for the whole walk. */
type Reading = <T>(work: (run: Run) => Promise<T>) => Promise<T>

interface Searched {
  readonly facets: Facets
  readonly searchText: SearchText
  readonly place: readonly [project: string, kind: string]
}

/** The matches of a search: from the narrow table of search texts if they tell, else from the documents. */
export async function searchPage(
  connections: Connections,
  scans: Scans,
  searched: Searched,
  search: Search,
): Promise<Matches> {
  const isInTexts = search.contains !== undefined
  const unserved = isInTexts ? 'too many texts have what it looks for.' : 'no index serves the search.'
  const ranking = new Ranking(search)
  const scan = scans.begin(() => unserved, search.caller)
  const reading: Reading = (work) => scan.wait(connections.reading(work))
  try {
    for await (const _ of (isInTexts ? inTexts : inDocuments)(reading, searched, search, ranking)) {
      const pause = scan.step()
      if (pause) await pause
    }
    return ranking.matches()
  } finally {
    scan.end()
  }
}

/** Ranks what the table of search texts finds, page by page. */
async function* inTexts(reading: Reading, {place}: Searched, {contains}: Search, ranking: Ranking): AsyncGenerator {
  const values: unknown[] = place.map(storable)
  const condition = contains === undefined ? 'true' : textCondition(contains, values)
  const text = `SELECT id, words FROM frontdesk.search WHERE project = $1 AND kind = $2 AND id > $${values.length + 1}
    AND ${condition} ORDER BY id LIMIT $${values.length + 2}`
  const read: Run = (...statement) => reading((run) => run(...statement))
  for await (const rows of pagesOf(read, {text}, values, [''], textRows)) {
    const undecided = rows
      .map(([id, words]) => {
        const text = () => restored(words ?? '')
        return new CachedCandidate(restored(id ?? ''), text, () => undefined)
      })
      .filter((candidate) => !ranking.add(candidate))
    for (let at = 0; at < undecided.length; at += undecidedRows) {
      const asked = undecided.slice(at, at + undecidedRows)
      const answers = await reading((run) =>
        Promise.all(asked.map(({id}) => run(getDocument, [...place, id].map(storable)))),
      )
      for (const [index, {rows: found}] of answers.entries()) {
        const [candidate, doc] = [asked[index], found[0]?.[0]]
        if (!candidate || typeof doc !== 'string') continue
        const read = (): Document => frozenDocument(doc)
        ranking.add(new CachedCandidate(candidate.id, () => candidate.text(), read))
      }
      yield
    }
    yield
  }
}

/** Ranks the documents that satisfy the predicate of the search, page by page. */
async function* inDocuments(reading: Reading, searched: Searched, {where}: Search, ranking: Ranking): AsyncGenerator {
  const {facets, place, searchText} = searched
  for (let after = ''; ; ) {
    let bytes = 0
    const page = {
      ...defined({where: allOf(where, follows('id', after))}),
      limit: documentRows,
      offset: 0,
      take: (more: number) => {
        bytes += more
        return bytes <= documentBytes
      },
    }
    const selection = new Selection(facets, place, page, frozenDocument<Document>)
    const {results, isCut} = await reading((run) => selection.read(run))
    for (const document of results) {
      ranking.add(
        new CachedCandidate(
          document.id,
          () => searchText.textOf(document),
          () => document,
        ),
      )
    }
    yield
    if (!isCut && results.length < documentRows) return
    after = results.at(-1)?.id ?? ''
  }
}

/** A condition of SQL on the column of words; what it contains becomes further values. */
function textCondition(contains: Contains, values: unknown[]): string {
  if (typeof contains === 'string') return `strpos(words, $${values.push(storable(contains))}::text) > 0`
  const isAll = 'all' in contains
  const terms = (isAll ? contains.all : contains.any).map((one) => textCondition(one, values))
  return terms.length === 0 ? String(isAll) : `(${terms.join(isAll ? ' AND ' : ' OR ')})`
}
