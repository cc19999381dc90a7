import {type MutationGroup, of} from './mutation.js'

/** What stands before tokens: hosts, forms, client secrets, limits, logs, and other authorization servers. */

const guard = of('src/server/http/guard.ts')
const bind = of('src/server/http/bind.ts')
const front = of('src/server/http/listeners.ts')
const serve = of('src/server/http/serve.ts')
const line = of('src/server/http/request-line.ts')
const shown = of('src/server/requests/request-log.ts')
const reply = of('src/server/http/reply.ts')
const body = of('src/server/http/request-body.ts')
const pipeline = of('src/api/pipeline/pipeline.ts')
const form = of('src/api/pipeline/oauth-form.ts')
const oauthForm = of('src/api/pipeline/oauth-form.ts')
const media = of('src/api/pipeline/oauth-form.ts')
const json = of('src/api/pipeline/json-body.ts')
const basic = of('src/api/pipeline/client-authentication.ts')
const lockouts = of('src/api/operation/lockouts.ts')
const secrets = of('src/secrets/secrets.ts')
const pool = of('src/secrets/worker-pool.ts')
const passwordText = of('src/secrets/passwords.ts')
const authenticate = of('src/api/pipeline/authenticate.ts')
const foreign = of('src/oauth/introspection.ts')
const external = of('src/server/external/external-oauth.ts')
const tls = of('src/domain/verified-tls.ts')
const lookups = of('src/server/external/guarded-lookup.ts')
const reach = of('src/domain/network-reach.ts')
const urls = of('src/domain/project/introspection-url.ts')
const project = of('src/domain/project/project.ts')

export const requests: MutationGroup = {
  tests: [
    'security/network/s-network',
    'security/network/s-reach',
    'security/secrets/s-secrets',
    'security/network/s-doors',
    'security/input/s-input',
    'security/scopes/i-bearer',
    'security/forms/a-transport',
    'security/forms/a-forms',
    'server/shown-path',
  ],
  mutations: [
    guard('no Host check', 'const isKnown = names.some(', 'const isKnown = names.length > 0 || names.some('),
    guard('a connection that named one host may name any', 'before?.host === host && ', 'before !== undefined && '),
    guard('a page uses the connection of a program', 'if (origins.length === 0 && sites.length === 0 && ', 'if ('),
    guard('hosts that begin like ours', 'host === `${name}:${port}`', 'host.startsWith(name)'),
    guard(
      'the port of the public address is any',
      'hasPort.test(name) ? name : `${name}:${port}`',
      '`${name}:${port}`',
    ),
    bind('patterns for allowed hosts', 'if (wrong !== undefined) throw', 'if (wrong === undefined) throw'),
    guard('two Host headers', 'hosts.length !== 1 || host === undefined', 'host === undefined'),
    guard('pages of other origins', 'if (foreign) throw refused(isListed ? closedToPages : unlisted)'),
    guard('pages of other sites', "sites.includes('cross-site')", 'false'),
    guard('two Authorization headers', "['authorization', ", '['),
    guard('two content types', "'content-type', 'content-length'", "'content-length'"),
    guard('any number of headers', 'request.rawHeaders.length / 2 > maxHeaders', 'maxHeaders < 0'),
    guard('paths that climb', "if (dotSegment.test(path)) throw notFound('There is no such path.')"),
    serve('the administration answers other machines', 'if (isHidden) throw unserved(operations)'),
    shown(
      'one-time tokens in the log',
      "isSecret(operation, name) ? '…' : encodeURIComponent(params?.[name] ?? '')",
      "encodeURIComponent(params?.[name] ?? '')",
    ),
    shown('one-time tokens of unknown paths in the log', 'return pathWithoutSecrets(path)', 'return path'),
    shown('encoded tokens that a route takes for an id in the log', ' || holdsSecret(path)'),
    line('queries in the log', 'path: shownPath(answered)', 'path: answered.path'),
    front('no check that routes declare a permission', '  checkPermissions(options.operations)\n'),
    front('one header more hides a repeat', 'limits.maxHeaders + 1', 'limits.maxHeaders - 60'),
    serve('forms of any size', "operation.bodyKind === 'form' ? limits.formBytes : runtime", 'runtime'),
    body('bodies that say nothing of their size', 'if (size > maxBytes) throw', 'if (size < 0) throw'),
    reply(
      'pages of every origin read answers',
      "'nosniff'] as const",
      "'nosniff', 'access-control-allow-origin', '*'] as const",
    ),
    reply('answers may be kept', "'cache-control', 'no-store', "),
    pipeline('clients of other projects', "client.projectKey !== params['projectKey']", "client.projectKey === ''"),
    pipeline(
      'a token in the query beside the header',
      "if (authorization === undefined || !query.has('access_token')) return",
      "if (authorization !== '') return",
    ),
    pipeline('any correlation id is repeated', 'given !== undefined && isCorrelationId(given)', 'given !== undefined'),
    pipeline(
      'the body is read before the permission',
      "  if (operation.permission.kind === 'bearer' && principal.kind",
      "  if (operation.body) await readBody(exchange, operation.body, principal)\n  if (operation.permission.kind === 'bearer' && principal.kind",
    ),
    pipeline(
      'faults tell their cause',
      'message: `Something failed inside the server. Its log has it under ${correlationId}.`',
      'message: String(error)',
    ),
    media('any content type', 'if (type === wanted && isUtf8) return', 'return'),
    media('any charset', 'if (type === wanted && isUtf8) return', 'if (type === wanted) return'),
    json(
      'members that change prototypes',
      "    if (isPoisoned(name, member)) return {path: '', rule: `a member must not be named '${name}'`}\n",
    ),
    json('any depth', 'if (depth > limits.jsonDepth)', 'if (depth < 0)'),
    form('parameters twice', '    if ((form.get(name) ?? value) !== value) throw twice(name)'),
    form('broken escapes', 'throw invalidRequest(`${what} is not well encoded.`)', 'return plain'),
    form('NUL in values', "if (value.includes('\\0')) throw invalidRequest(`${what} holds a NUL.`)"),
    form('invalid UTF-8', '{fatal: true}', '{fatal: false}'),
    oauthForm(
      'credentials in the query',
      'if (misplaced !== undefined) throw invalidRequest(`The parameter ${misplaced} belongs into the body.`)',
    ),
    oauthForm(
      'the id of another client in the body',
      "if (!isSame) throw invalidRequest('The parameter client_id names another client than the Authorization header.')",
    ),
    oauthForm(
      'a secret in header and body',
      "if (form.has('client_secret')) throw invalidRequest('The client authenticates in one way only: by HTTP Basic.')",
    ),
  ],
}

export const credentials: MutationGroup = {
  tests: ['security/forms/b-clients', 'security/customers/p-password', 'security/secrets/s-secrets'],
  mutations: [
    basic('huge credentials are looked up', 'encoded.length > maxHeader || '),
    basic('any secret', 'if (client && matches) return client', 'if (client) return client'),
    basic('secrets can be searched', 'wrongSecrets.failed(key, now)', 'void key'),
    basic('a client locks itself elsewhere', "`${source ?? ''} ${given.id}`", '`${given.id}`'),
    basic('the secret of one client fits another', 'client?.secretDigest ?? secrets', 'secrets'),
    basic('lenient base64', ' || !base64Form.test(encoded)'),
    basic('bytes that are not UTF-8', '{fatal: true, ignoreBOM: true}', '{fatal: false}'),
    lockouts('a lock never ends', 'filter((at) => at > now - windowMs)', 'filter(() => now > 0)'),
    lockouts('locks without a bound', '(maxKeys)', '(Number.POSITIVE_INFINITY)'),
    secrets('one secret is given twice', '  given += bytes\n'),
    secrets(
      'a prefix of a secret is enough',
      'return left.length === right.length && timingSafeEqual(left, right)',
      'return timingSafeEqual(left.subarray(0, 8), right.subarray(0, 8))',
    ),
    secrets(
      'comparison tells by its time how far it came',
      'left.length === right.length && timingSafeEqual(left, right)',
      'a === b',
    ),
    pool('any number of passwords waits', 'this.#queue.length > limits.waitingPasswords', 'this.#queue.length < 0'),
    passwordText(
      'the 73rd byte does not count',
      "Buffer.byteLength(text) <= bcryptBytes && !text.includes('\\0')",
      'true',
    ),
  ],
}

export const elsewhere: MutationGroup = {
  tests: [
    'security/network/k-addresses',
    'security/network/k-external',
    'security/survival/k-survival',
    'security/survival/s-survival',
  ],
  mutations: [
    authenticate(
      'our own dead tokens are sent outside',
      'if (!token) return externalBearer(',
      'if (!token || token.expiresAt <= now || token.revokedAt !== undefined) return externalBearer(',
    ),
    authenticate('an external token of nobody', 'return isKnown ? {...base', 'return isKnown !== null ? {...base'),
    authenticate(
      'an external token of two subjects',
      "if (customers.size + visitors.size > 1 || customerId === ''",
      "if (customerId === ''",
    ),
    foreign('anything true counts as active', 'if (active !== true) return undefined', 'if (!active) return undefined'),
    foreign('inactive counts as active', '  if (active !== true) return undefined\n'),
    foreign('external tokens do not expire', 'if (isOver || isAhead)', 'if (isAhead)'),
    foreign('external tokens work before their time', 'if (isOver || isAhead)', 'if (isOver)'),
    foreign('scopes that are no text', "typeof scope === 'string' ? scope : ''", 'String(scope)'),
    external(
      'answers with an error status are believed',
      'if (statusCode !== 200) throw failed(`External OAuth answered with status ${statusCode}.`)',
    ),
    external('a slow server holds a call', 'AbortSignal.timeout(question.budgetMs)', 'AbortSignal.timeout(60_000)'),
    external('answers are kept for a day', 'const cachedMs = 30 * 60_000', 'const cachedMs = 24 * 60 * 60_000'),
    external('answers are kept past their end', 'found?.expiresAt ?? Number', 'Number'),
    external(
      'an answer for one project counts for another',
      '[key, url, authorizationHeader, token]',
      '[url, authorizationHeader, token]',
    ),
    external('an answer outlives the server that gave it', '[key, url, authorizationHeader, token]', '[key, token]'),
    tls('any certificate', 'rejectUnauthorized: true', 'rejectUnauthorized: false'),
    lookups(
      'names of forbidden addresses',
      'if (!addresses.every(({address}) => permits(address)))',
      'if (addresses.length === 0)',
    ),
    lookups(
      'a name that does not resolve ends the process',
      "(error: NodeJS.ErrnoException) => callback(error, '', 0),",
      '(error: unknown) => {\n        throw error\n      },',
    ),
    pool(
      'a job of a worker that ended waits for ever',
      "    job?.reject(overCapacity('The password could not be hashed.', cause))\n",
    ),
    reply('a reset of what is no request ends the process', "  socket.on('error', () => socket.destroy())\n"),
    lookups(
      'any number of names resolves at once',
      'if (running.size >= limits.resolvingNames)',
      'if (running.size < 0)',
    ),
    external(
      'a connection that waits holds a call',
      'Promise.race([answerTo(agentFor, question, request, signal), overdue])',
      'answerTo(agentFor, question, request, signal)',
    ),
    external('forbidden addresses', 'isIP(literal) !== 0 && !permits(protocol)(literal)', 'literal === ""'),
    external('private addresses', "(reach === 'private' && allowPrivate)", "reach === 'private'"),
    external('answers of any size', 'maxResponseSize: maxAnswerBytes', 'maxResponseSize: -1'),
    reach('metadata services', ", '169.254.0.0/16'"),
    reach('metadata services outside their range', "'168.63.129.16/32', "),
    reach('tunnels', ", '2002::/16'"),
    reach('IPv4 in IPv6', "['64:ff9b::', '::ffff:0:']", "['::ffff:0:']"),
    urls(
      'plain http elsewhere',
      "(url.protocol === 'http:' && isLoopbackHost(url.hostname))",
      "url.protocol === 'http:'",
    ),
    urls('credentials in addresses', "url.username !== '' || url.password !== ''", 'false'),
    project(
      'the header of the other server is shown',
      'return scheme === undefined ? hidden : `${scheme} ${hidden}`',
      'return authorizationHeader',
    ),
  ],
}
