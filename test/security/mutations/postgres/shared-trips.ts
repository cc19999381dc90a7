import {type MutationGroup, of} from '../mutation.js'

/** What requests that share round trips and transactions of PostgreSQL could do to each other. */

const authenticate = of('src/api/pipeline/authenticate.ts')
const batch = of('src/store/postgres/connection/batch.ts')
const commit = of('src/store/postgres/commit.ts')
const frozen = of('src/store/postgres/frozen-document.ts')
const groups = of('src/store/postgres/grouped-commits.ts')
const lookups = of('src/store/postgres/lookups.ts')
const remembered = of('src/api/pipeline/remembered.ts')
const select = of('src/store/postgres/select.ts')
const trips = of('src/store/postgres/connection/shared-trip.ts')
const shared = of('src/store/postgres/connection/shared-connection.ts')
const statements = of('src/store/postgres/schema/statements.ts')

export const sharedTrips: MutationGroup = {
  folders: [],
  tests: [
    'store/postgres/lookups',
    'store/postgres/shared-connection',
    'store/postgres/batch',
    'store/postgres/grouped-commits',
    'store/postgres/moved',
    'store/postgres/text',
    'store/postgres/plans',
  ],
  mutations: [
    groups(
      'PostgreSQL: a commit of a group that may be stored is not looked for',
      'error instanceof CommitUnknown ? error : undefined',
      'undefined',
    ),
    groups(
      'PostgreSQL: commits that want the same share a transaction',
      ' || own.some((place) => places.has(place))',
      '',
    ),
    groups(
      'PostgreSQL: what removes or completes later is grouped',
      "'doc' in change && !change.uniqueKeys",
      "!('doc' in change) || !change.uniqueKeys",
    ),
    groups(
      'PostgreSQL: a document that has moved is the fault of the whole group',
      'change.kind === error.kind && idOf(change) === error.id',
      'false',
    ),
    groups(
      'PostgreSQL: what a commit of a group requires is not looked for',
      'required: members.flatMap(({required}) => required)',
      'required: []',
    ),
    commit(
      'PostgreSQL: COMMIT does not wait for rows that others may have changed',
      'isSafe: isLocked || updates === 0',
      'isSafe: true',
    ),
    commit(
      'PostgreSQL: one that waits for a row makes a whole group wait',
      'const briefly = work.isGroup ?',
      'const briefly = !work.isGroup ?',
    ),
    statements('PostgreSQL: a document is not locked while it is replaced', ' FOR NO KEY UPDATE', ''),
    batch(
      'PostgreSQL: the error of one statement passes for that of the next',
      "else reject(new NotRun('an earlier statement failed', {cause: error}))",
      'else reject(error)',
    ),
    batch(
      'PostgreSQL: a statement that was not reached counts as prepared',
      'if (name) this.#names.set(name, false)',
      '',
    ),
    lookups(
      'PostgreSQL: who asks for a key is given the document of an id',
      'this.#ask(this.#keys, place)',
      'this.#ask(this.#ids, place)',
    ),
    frozen(
      'PostgreSQL: a document whose text was mapped has the text that is stored',
      'return isAsWritten(column) ?',
      'return column ?',
    ),
    frozen('PostgreSQL: a text that was mapped goes out as it is stored', 'of(isAsWritten(column) ?', 'of(column ?'),
    trips(
      'PostgreSQL: a query is refused because another one of its trip failed',
      'if (end.reason instanceof NotRun) void alone(connections, one)',
      'if (end.status === undefined) void alone(connections, one)',
    ),
    trips(
      'PostgreSQL: the failure of a query is that of its whole trip',
      "end.status === 'rejected' && isLost(end.reason)",
      "end.status === 'rejected'",
    ),
    trips(
      'PostgreSQL: a query whose connection was lost is not asked again',
      "if (lost?.status === 'rejected') throw lost.reason",
      '',
    ),
    shared(
      'PostgreSQL: a connection that was lost is shared on',
      'if (shared.users > 0 && !shared.isBroken) return',
      'if (shared.users > 0) return',
    ),
    shared(
      'PostgreSQL: a connection that was lost is given to the next request',
      'shared.isBroken ||= isLost(error)',
      '',
    ),
    shared(
      'PostgreSQL: a connection is given back while others wait for its answers',
      '    if (shared.users > 0) return\n',
      '',
    ),
    shared('PostgreSQL: requests stay with a former primary', ' && now < this.#shared.until', ''),
    lookups(
      'PostgreSQL: requests wait for any number of queries of others',
      'return at > 0 && rows > mostRows',
      'return rows < 0',
    ),
    select(
      'PostgreSQL: a query that an index serves reads all documents of a new database',
      `choice.isSelective ? {id: "(id || '')"} : {}`,
      '{}',
    ),
    select(
      'PostgreSQL: requests wait for queries of others that no index serves',
      'where ? (this.#choice.isSelective ? 1 : undefined) : rows',
      'where ? 1 : rows',
    ),
  ],
}

/** What one server could still take for granted when another one has ended it. */
export const endedElsewhere: MutationGroup = {
  folders: [],
  tests: ['store/postgres/known-tokens'],
  mutations: [
    remembered(
      'PostgreSQL: a known token is known without asking',
      '  if (madeFrom.some(({at}) => at === undefined)) return\n',
      '',
    ),
    authenticate(
      'PostgreSQL: a client that another server deleted goes on',
      "  if (!living(await grounds.client, now)) return 'client'\n",
      '',
    ),
    authenticate(
      'PostgreSQL: a grant that another server ended goes on',
      "if (!grant || grant.revokedAt !== undefined) return 'grant'",
      '',
    ),
    authenticate(
      'PostgreSQL: a session that another server ended goes on',
      'credential?.sessionEpoch === token.sessionEpoch &&',
      '',
    ),
  ],
}
