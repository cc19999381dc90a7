import {type MutationGroup, of} from './mutation.js'

/** What keeps a request, a server and an acknowledged write when PostgreSQL fails. */

const pool = of('src/store/postgres/connection/pool.ts')
const hosts = of('src/store/postgres/connection/hosts.ts')
const connections = of('src/store/postgres/connection/connections.ts')
const commit = of('src/store/postgres/commit.ts')
const groups = of('src/store/postgres/grouped-commits.ts')
const batch = of('src/store/postgres/connection/batch.ts')
const lookups = of('src/store/postgres/lookups.ts')
const frozen = of('src/store/postgres/frozen-document.ts')
const settle = of('src/store/postgres/settle.ts')
const statements = of('src/store/postgres/schema/statements.ts')
const textForm = of('src/store/postgres/schema/text-form.ts')
const checkTables = of('src/store/postgres/schema/check-tables.ts')

export const database: MutationGroup = {
  folders: [],
  tests: [
    'store/postgres/contract',
    'store/postgres/pool',
    'store/postgres/text',
    'store/postgres/schema',
    'store/postgres/away',
    'store/postgres/faults',
    'store/postgres/failover',
    'store/postgres/batch',
    'store/postgres/grouped-commits',
  ],
  mutations: [
    hosts('PostgreSQL: an error of a connection ends the process', "  client.on('error', () => {})\n"),
    hosts(
      'PostgreSQL: a standby is taken for the host that takes writes',
      "takesWrites: rows[0]?.transaction_read_only === 'off'",
      'takesWrites: rows.length === 1',
    ),
    pool(
      'PostgreSQL: requests fail when there are fewer connections than wanted',
      'if (this.#members.size === 0 && !isNoRoom(error)) {',
      'if (error) {',
    ),
    pool(
      'PostgreSQL: sign-ups take every connection',
      'if (this.#holders >= Math.max(1, Math.floor(this.#ceiling / 3))) return brief\n',
      '\n',
    ),
    connections(
      'PostgreSQL: connections that lead to a standby are used on',
      '      if (isReadOnly(error)) this.#pool.outdate()\n',
    ),
    connections(
      'PostgreSQL: a commit that was not answered counts as not stored',
      "throw ending && isLost(cause) ? new CommitUnknown('the commit was not answered', {cause}) : cause",
      'throw cause',
    ),
    connections(
      'PostgreSQL: a commit that no standby has counts as stored',
      "isWarned ||= code?.startsWith('01') ?? false",
      "isWarned ||= code === 'none'",
    ),
    commit('PostgreSQL: a commit that was stored is written again', "        if (outcome === 'stored') return\n"),
    commit(
      'PostgreSQL: a commit of which nothing tells counts as not stored',
      "        if (outcome === 'unknown') throw unanswered\n",
    ),
    commit(
      'PostgreSQL: a look why a unique key is taken ends as a fault of ours',
      '      return requestError(moved)',
      '      return moved',
    ),
    commit(
      'PostgreSQL: what is being removed can be referred to meanwhile',
      "const isLocked = updates > 0 && (complete ? part.some((change) => 'remove' in change) : true)",
      'const isLocked = updates > 0 && !complete',
    ),
    commit(
      'PostgreSQL: what was found before a removal was tried again counts as found',
      '        if (isRemoval) more = undefined\n',
    ),
    settle(
      'PostgreSQL: the change of another is taken for the own',
      'isDeepStrictEqual(found.doc, sent)',
      'sent !== undefined',
    ),
    statements(
      'PostgreSQL: members lose their order',
      "'CASE WHEN body::jsonb = doc THEN body ELSE doc::text END'",
      "'doc::text'",
    ),
    textForm(
      'PostgreSQL: halves of pairs lose their place in the order',
      'return `${found}\\udc00${one}`',
      'return `${found}\\udc00${two}${two}`',
    ),
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
    frozen('PostgreSQL: a text that was mapped goes out as it is stored', 'isAsWritten(column) ?', 'column ?'),
    checkTables(
      'PostgreSQL: tables without a key are taken',
      'if (found.size !== key.length ||',
      'if (found.size > 9 &&',
    ),
  ],
}
