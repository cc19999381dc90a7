import {type MutationGroup, of} from './mutation.js'

/** What is remembered of tokens and projects, and what ends that. */

const authenticate = of('src/api/pipeline/authenticate.ts')
const bearers = of('src/api/pipeline/known-bearers.ts')
const projects = of('src/api/pipeline/project.ts')
const remembered = of('src/api/pipeline/remembered.ts')
const collection = of('src/store/lowdb/tree/collection.ts')

export const knownTokens: MutationGroup = {
  tests: ['security/tokens/j-known', 'api/pipeline/remembered', 'security/tokens/h-revocation'],
  mutations: [
    authenticate(
      'a known token outlives its revocation',
      'const madeFrom = [ofTokens, ofClients]',
      'const madeFrom = [ofClients]',
    ),
    authenticate(
      'a known token outlives its client',
      'const madeFrom = [ofTokens, ofClients]',
      'const madeFrom = [ofTokens]',
    ),
    authenticate('a known token outlives its refresh token', '  if (grant !== undefined) madeFrom.push(ofGrants)\n'),
    authenticate(
      'a known token outlives its session',
      '  if (grounds.ofCustomers) madeFrom.push(grounds.ofCustomers)\n',
    ),
    authenticate('a known token outlives the day of its client', 'Date.parse(client.deleteAt),', 'Number.MAX_VALUE,'),
    bearers('a known token has no end', ' && now < found.until ?', ' ?'),
    bearers('a known token of the future', 'found.from <= now && ', ''),
    projects('a project stays as it was', "madeFrom = [revisionOf(state, REALM, 'project')]", 'madeFrom: never[] = []'),
    remembered('what is known is never compared', '=== at) continue', '!== undefined) continue'),
    remembered(
      'a change between reading and remembering is lost',
      '{value, madeFrom})',
      '{value, madeFrom: madeFrom.map(({project, kind}) => revisionOf(this.#state, project, kind))})',
    ),
    remembered('what a store cannot tell is remembered', '  if (madeFrom.some(({at}) => at === undefined)) return\n'),
    remembered('tokens fill the memory', 'if (this.#values.size < this.#most) break', 'break'),
    collection(
      'a change of a document shows nowhere',
      '    this.#revision = ++revisions\n    this.#memtable.put',
      '    this.#memtable.put',
    ),
  ],
}
