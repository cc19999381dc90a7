import {type MutationGroup, of} from './mutation.js'

/** What the server remembers of requests, and who may ask for it. */

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
