import {type MutationGroup, of} from './mutation.js'

/** What is remembered of tokens and projects, and what ends that. */

const authenticate = of('src/api/pipeline/authenticate.ts')
const projects = of('src/api/pipeline/project.ts')
const cache = of('src/api/documents/revision-cache.ts')
const bounded = of('src/work/bounded-map.ts')
const collection = of('src/store/lowdb/directory/collection.ts')

export const knownTokens: MutationGroup = {
  tests: ['security/tokens/j-known', 'api/operation/revision-cache', 'security/tokens/h-revocation'],
  mutations: [
    authenticate(
      'a known token outlives its revocation',
      'const dependsOn = [accessTokens, apiClients,',
      'const dependsOn = [apiClients, apiClients,',
    ),
    authenticate(
      'a known token outlives its client',
      'const dependsOn = [accessTokens, apiClients,',
      'const dependsOn = [accessTokens, accessTokens,',
    ),
    authenticate('a known token outlives its refresh token', 'if (grant === undefined) dependsOn', 'dependsOn'),
    authenticate(
      'a known token outlives its session',
      '  if (customerId !== undefined) dependsOn.push(revisionOf(state, projectKey, credentials))\n',
    ),
    authenticate(
      'a known token outlives the day of its client',
      'Math.min(expiresAt, Date.parse(deleteAt))',
      'expiresAt',
    ),
    authenticate('a known token has no end', ' && now < cached.until)', ')'),
    authenticate('a known token of the future', 'cached.from <= now && ', ''),
    projects(
      'a project stays as it was',
      "dependsOn = [revisionOf(state, REALM, 'project')]",
      'dependsOn: never[] = []',
    ),
    cache('what is known is never compared', '=== at) continue', '!== undefined) continue'),
    cache(
      'a change between reading and remembering is lost',
      '{value, dependsOn})',
      '{value, dependsOn: dependsOn.map(({project, kind}) => revisionOf(this.#state, project, kind))})',
    ),
    cache('what a store cannot tell is remembered', 'if (dependsOn.every(({at}) => at !== undefined)) ', ''),
    bounded('tokens fill the memory', 'if (this.size > this.#most)', 'if (false)'),
    collection(
      'a change of a document shows nowhere',
      '    this.texts.change(id)\n    this.revision = ++revisions\n',
      '    this.texts.change(id)\n',
    ),
  ],
}
