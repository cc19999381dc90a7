import {type MutationGroup, of} from './mutation.js'

/** What the server remembers of requests, and who may ask for it; and what several workers of one server remember. */

const remembered = of('src/server/requests/request-log.ts')
const views = of('src/server/requests/request-view.ts')
const declared = of('src/server/requests/declared-parts.ts')
const texts = of('src/domain/redact.ts')
const asked = of('src/server/local/admin.ts')

export const rememberedRequests: MutationGroup = {
  tests: ['security/secrets/s-requests', 'security/secrets/s-mistyped'],
  mutations: [
    views('secrets in remembered bodies', 'masked(JSON.parse(textOf(body)))', 'JSON.parse(textOf(body))'),
    views('errors that repeat what they received', 'status < 400 ? redactedJson : maskedError', 'redactedJson'),
    declared('undeclared texts are shown', 'if (!known.some(({type}) => leaves.has(type))) return hidden', ''),
    views('bodies that are no JSON are shown', "return unshown(body, 'not JSON')", 'return textOf(body)'),
    declared('secrets in remembered forms and queries', ' && !isSecretAnswer(name)'),
    declared('undeclared parameters are shown', 'isDeclared && !isSecretAnswer', '!isSecretAnswer'),
    texts('credentials in URLs are shown', '\n    .replace(/(:\\/\\/)[^\\s/@"\']+@/g, `$1${hidden}@`)'),
    views(
      'the requests of other projects',
      '    if (projectKey !== undefined && projectOf(request) !== projectKey) continue\n',
    ),
    asked('anybody reads the remembered requests', "permission: {kind: 'admin'}", "permission: {kind: 'open'}"),
    remembered('queries are kept unasked', "keepBodies && search !== ''", "search !== ''"),
    remembered('bodies are kept unasked', 'keepBodies && reply ?', 'reply ?'),
    remembered('requests without end', 'this.#next - this.#first >= limits.requestsKept || ', ''),
    remembered('bodies without end', ' || this.#bytes + size > limits.requestBytesKept'),
  ],
}

const pool = of('src/server/workers/pool.ts')
const supervisor = of('src/server/workers/supervisor.ts')

export const workers: MutationGroup = {
  folders: [],
  tests: ['server/workers/pool', 'server/workers/supervisor'],
  mutations: [
    pool('workers: each has guesses of its own', 'if (other !== channel)', 'if (other === channel)'),
    pool('workers: a new one goes by another clock', "    channel.tell('clock', this.#clock.setting)\n"),
    pool('workers: requests are shown before all have ended', '{filter, until}', '{filter, until: 1e15}'),
    supervisor(
      'workers: one that cannot live is started without pause',
      'Math.min(firstDelayMs * 2 ** (slot.early - 1), maxDelayMs)',
      '0',
    ),
    supervisor('workers: a server without any goes on', ' && this.pids.length === 0', ' && this.pids.length > 1'),
    supervisor(
      'workers: one that hangs keeps the server from ending',
      'of this.#slots) process?.kill()',
      'of this.#slots) process?.drain()',
    ),
  ],
}
