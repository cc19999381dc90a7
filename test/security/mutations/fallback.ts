import {type MutationGroup, of} from './mutation.js'

/** What the fallback server may be asked, and what becomes of its answers. */

const front = of('src/server/http/serve.ts')
const handing = of('src/server/fallback/fallback.ts')
const target = of('src/server/fallback/target.ts')
const headers = of('src/server/fallback/headers.ts')
const admission = of('src/api/pipeline/admit.ts')
const scopes = of('src/oauth/scopes.ts')
const router = of('src/server/http/router.ts')

export const handedOn: MutationGroup = {
  tests: [
    'security/network/m-handing-on',
    'security/network/m-boundaries',
    'security/network/m-lending',
    'security/network/m-streams',
    'security/network/m-fallback-trouble',
  ],
  mutations: [
    front(
      'requests are handed on without a token',
      'await admit(runtime, {...onward, method, isLent, query, authorization, correlationId, trace})',
      '{kind: "bearer", projectKey: "shop", clientId: "x", scopes: []} as const',
    ),
    front('slips of served paths are handed on', ' || isNearlyServed(onward.path)'),
    front('paths are handed on as they were written', "search === '' ? onward.path :", 'path !== "" ? path :'),
    admission('any valid token is admitted', '  await permit(', '  if (Date.now() < 0) await permit('),
    admission('a token in the address is handed on', '  checkTokenPlace(query, authorization)\n'),
    admission('visitors use the lent authorization', ' || isLent'),
    admission('who may read writes', "reads(request) ? 'view'", "projectKey ? 'view'"),
    scopes('unknown paths are open to everybody', "['manage_project']", "['view_customers']"),
    handing('requests without end', 'running >= limits.forwarded', 'running < 0'),
    handing('a 204 with a length is cut', 'statusCode === noContent ? [] : body', 'body'),
    router('slips with an extension are handed on', "[path, path.replace(beyondName, '')]", '[path]'),
    headers('headers that nobody listed leave', 'handedOn.test(name) && '),
    headers('the other server sets cookies', "  'set-cookie',\n"),
    headers('headers that Connection names travel on', ' && !named.has(name))', ')'),
    headers('answers open the server to other origins', " || name.startsWith('access-control-')"),
    handing(
      'requests go round',
      '  if (isLoop(headersDistinct, pseudonym)) {',
      '  if (headersDistinct === undefined) {',
    ),
    handing('bodies have no end', 'if (size > most) done(problem())', 'if (size < 0) done(problem())'),
    handing('a caller that left is waited for', "  response.once('close', end)\n"),
    handing(
      'a stopping server keeps its connections',
      'close: async () => (await pool)?.destroy()',
      'close: async () => undefined',
    ),
    target('paths climb at the other server', '(?!\\.{1,2}$)'),
    target('paths mean different things to two readers', '[A-Za-z0-9_.~=:@-]+$', '.+$'),
    target(
      'the authorization travels readable',
      "parsed.protocol === 'http:' && !isLoopback",
      "parsed.protocol === 'x:' && !isLoopback",
    ),
    target('an address carries credentials', "parsed.username !== '' || parsed.password !== ''", 'false'),
  ],
}
