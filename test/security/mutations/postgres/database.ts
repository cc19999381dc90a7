import {type MutationGroup, of} from '../mutation.js'

/** What keeps a request, a server and an acknowledged write when PostgreSQL fails. */

const pool = of('src/store/postgres/connection/pool.ts')
const hosts = of('src/store/postgres/connection/hosts.ts')
const connections = of('src/store/postgres/connection/connections.ts')
const commit = of('src/store/postgres/commit.ts')
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
    checkTables(
      'PostgreSQL: tables without a key are taken',
      'if (found.size !== key.length ||',
      'if (found.size > 9 &&',
    ),
  ],
}
