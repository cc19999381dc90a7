import {type MutationGroup, of} from './mutation.js'

/** What the server remembers of requests, and who may ask for it. */

const remembered = of('src/server/requests/request-log.ts')
const views = of('src/server/requests/request-view.ts')
const asked = of('src/server/requests/operations.ts')

export const rememberedRequests: MutationGroup = {
  tests: ['security/secrets/s-requests'],
  mutations: [
    views('secrets in remembered bodies', 'redactedJson(JSON.parse(textOf(body)))', 'JSON.parse(textOf(body))'),
    views('bodies that are no JSON are shown', "return unshown(body, 'not JSON')", 'return textOf(body)'),
    views('secrets in remembered forms', 'isSecretAnswer(name) ? hidden : value', 'value'),
    views('secrets in remembered queries', 'redactedText(search)', 'search'),
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
