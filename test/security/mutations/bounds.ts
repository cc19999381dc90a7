import {type MutationGroup, of} from './mutation.js'

/** What bounds the work of one request. */

const body = of('src/server/http/request-body.ts')
const connections = of('src/server/http/connections.ts')
const front = of('src/server/http/serve.ts')
const head = of('src/server/http/head.ts')
const json = of('src/api/pipeline/json-body.ts')
const validate = of('src/api/pipeline/validate.ts')
const update = of('src/api/operation/change.ts')
const draft = of('src/domain/customers/draft.ts')
const addAddress = of('src/domain/customers/actions/addresses.ts')
const clients = of('src/api/oauth/api-clients.ts')
const parser = of('src/query/parser.ts')
const values = of('src/query/values.ts')
const sort = of('src/query/sort.ts')
const best = of('src/query/best.ts')
const slots = of('src/work/slots.ts')
const scans = of('src/store/adapter/scans.ts')
const expand = of('src/query/expand.ts')
const replies = of('src/server/reply-body.ts')
const select = of('src/store/lowdb/read/select.ts')

export const peers: MutationGroup = {
  tests: ['security/network/s-trickle', 'security/network/s-slow'],
  mutations: [
    connections(
      'a body that trickles keeps its connection',
      "      this.#waiting.add(connection)\n      request.once('end', () => this.#waiting.delete(connection))",
      '      this.#waiting.delete(connection)',
    ),
    connections(
      'newcomers are turned away',
      'const [longest = connection] = this.#waiting',
      'const longest = connection',
    ),
    connections(
      'connections without a bound',
      'if (this.#open.size <= this.#limits.sockets) return',
      'if (this.#open.size > 0) return',
    ),
    front(
      'refused bodies are awaited while connections are scarce',
      'isCrowded ? undefined : drained(request)',
      'drained(request)',
    ),
  ],
}

export const unread: MutationGroup = {
  tests: ['security/network/s-connections', 'security/network/s-unread'],
  mutations: [
    connections(
      'a refusal waits for a client that reads nothing',
      'setTimeout(() => socket.destroy(), endMs)',
      'setTimeout(() => undefined, endMs)',
    ),
    connections(
      'a server that ends forgets what has not begun',
      '#closeEach(() => true)',
      '#closeEach(({socket}) => socket !== undefined)',
    ),
    connections(
      'every pipelined request begins at once',
      'else if (connection.requests.length === 1) this.#begin',
      'else this.#begin',
    ),
    connections(
      'any number of requests waits',
      'if (connection.requests.length > this.#limits.pipelined)',
      'if (connection.requests.length < 0)',
    ),
    connections(
      'nobody has to read',
      'else if (now - connection.takenAt > this.#limits.unreadMs)',
      'else if (now < 0)',
    ),
    connections(
      'any number of answers is unread',
      'while (this.#claimed + bytes > this.#limits.unreadBytes)',
      'while (bytes < 0)',
    ),
    body('any number of bodies is held', 'if (size > smallBytes) claim(size)', 'if (size < 0) claim(size)'),
    body('any number of large bodies is worked on', 'size > smallBytes ? enlarge()', 'size < 0 ? enlarge()'),
  ],
}

export const bounds: MutationGroup = {
  tests: [
    'security/network/s-headers',
    'api/operation/limits',
    'query/sort',
    'query/parser',
    'query/expand',
    'server/reply-body',
    'store/scans',
    'work/slots',
    'security/survival/s-unread-at-once',
  ],
  mutations: [
    head('any text in a header', 'unsafe.test(value) ? value', 'value ? value'),
    json('any number of values in a body', 'if (values > maxValues)', 'if (values < 0)'),
    json('elements of arrays count for nothing', 'code === 0x2c || (isFirst && !closes)', 'code === 0x3a'),
    validate('every problem of a body is listed', 'issues.slice(0, limits.listedIssues)', 'issues'),
    update('any number of actions', ', v.maxLength(limits.actions)'),
    draft('any number of addresses in a draft', 'listOf(AddressDraft, limits.addresses)', 'listOf(AddressDraft, 1e9)'),
    draft('any number of stores', "listOf(identifierOf('store'), limits.stores)", "listOf(identifierOf('store'), 1e9)"),
    addAddress('addresses without end, one by one', 'customer.addresses.length + 1', '1'),
    clients('clients with any number of scopes', 'length > 0 && length <= limits.scopes', 'length > 0'),
    parser('each predicate has limits of its own', 'shape, vars, custom, spent)', 'shape, vars, custom)'),
    parser(
      'any number of conditions',
      'if (this.#spent.conditions > limits.conditions)',
      'if (this.#spent.values < 0)',
    ),
    values('any number of values', 'if (this.#spent.values <= limits.queryValues) return', 'return'),
    values('a variable counts once', '      this.#spend(token, texts.length)\n'),
    sort(
      'many keys on the deepest page',
      'if (texts.length * (offset + limit) > limits.sortedCells)',
      'if (limit < 0)',
    ),
    best('a sorted page keeps everything', ').splice(this.#most)', ')'),
    scans('a query works for ever', 'if (this.#workedMs > budgetMs) {', 'if (this.#workedMs < 0) {'),
    slots('any number of scans at once', 'if (this.#taken < this.#limits.atOnce)', 'if (this.#taken >= 0)'),
    slots(
      'any number of scans waits',
      'if (!hasBegun && this.#waiting.length >= this.#limits.waiting)',
      'if (this.#taken < 0)',
    ),
    slots('a scan never gives up its turn', 'if (next) next()', 'if (next) return'),
    scans(
      'a query outlives its caller',
      'if (this.#caller?.isGone()) throw callerGone()\n    if (this.#workedMs',
      'if (this.#workedMs',
    ),
    replies('an answer in the making counts for nothing', '      making?.claim(length)\n'),
    expand(
      'an answer expands without end',
      'if (budget.hasRoom(bytes, references)) return resource',
      'return resource',
    ),
    expand(
      'everything is loaded that an answer might show',
      'if (!budget.hasRoom(bytes, 0)) throw',
      'if (bytes < 0) throw',
    ),
    replies('answers of any size', 'if (length > limits.replyBytes) throw', 'if (length < 0) throw'),
    select(
      'a query that was given up keeps its turn',
      '(undefined as never)\n      scan.end()\n',
      '(undefined as never)\n',
    ),
  ],
}
