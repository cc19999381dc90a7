/**
 * Every limit of a request and of a server in one table, which docs/security.md shows. Each is enforced before the work that
 * it bounds. Plain data without imports, so that every layer may read it.
 */

interface Limit {
  readonly most: number
  /** What it counts, for the table. */
  readonly counts: string
  /** The reply to a request beyond it: status and code. */
  readonly refusal: string
}

export const limitTable = {
  sockets: {
    most: 512,
    counts: 'connections; one more ends the one whose request has been incomplete longest',
    refusal: 'a closed connection',
  },
  pipelined: {
    most: 128,
    counts: 'requests of one connection that have come and are not answered; each waits for the one before',
    refusal: 'a closed connection',
  },
  unreadBytes: {
    most: 268_435_456,
    counts:
      'bytes of large bodies that have come and of answers not yet read, of all connections; one more ends the slowest',
    refusal: 'a closed connection, or 503 `OverCapacity`',
  },
  largeAnswers: {
    most: 8,
    counts: 'answers over 256 KiB that are being made at once',
    refusal: 'they wait',
  },
  largeBodies: {
    most: 8,
    counts: 'requests with bodies over 64 KiB that are worked on at once',
    refusal: 'they wait',
  },
  requestsPerSocket: {most: 1_000, counts: 'requests on one connection', refusal: '`Connection: close`'},
  headerBytes: {most: 65_536, counts: 'bytes of the request line and all headers', refusal: '431 `HeadersTooLarge`'},
  headers: {most: 100, counts: 'headers', refusal: '431 `HeadersTooLarge`'},
  pathBytes: {most: 8_192, counts: 'bytes of a path', refusal: '414 `UriTooLong`'},
  bodyBytes: {most: 1_048_576, counts: 'bytes of a JSON body', refusal: '413 `ContentTooLarge`'},
  formBytes: {most: 65_536, counts: 'bytes of a form', refusal: '413 `ContentTooLarge`'},
  formParameters: {most: 100, counts: 'parameters of a form', refusal: '400 `invalid_request`'},
  jsonDepth: {most: 32, counts: 'levels of nesting in a JSON body', refusal: '400 `InvalidJsonInput`'},
  jsonValues: {
    most: 10_000,
    counts: 'members of objects and elements of arrays in a JSON body, together',
    refusal: '400 `InvalidJsonInput`',
  },
  textCharacters: {most: 65_536, counts: 'characters of one text in a JSON body', refusal: '400 `InvalidJsonInput`'},
  listedIssues: {most: 20, counts: 'problems of a body that one answer lists', refusal: 'the others are left out'},
  actions: {most: 500, counts: 'update actions of a request', refusal: '400 `InvalidJsonInput`'},
  addresses: {
    most: 500,
    counts: 'addresses of a customer',
    refusal: '400 `InvalidJsonInput`, for an action `MaxResourceLimitExceeded`',
  },
  addressCharacters: {most: 1_024, counts: 'characters of a text of an address', refusal: '400 `InvalidField`'},
  customerBytes: {
    most: 1_048_576,
    counts: 'bytes of a customer as JSON',
    refusal: '400 `ResourceSizeLimitExceeded`',
  },
  documentBytes: {
    most: 16_777_216,
    counts: 'bytes of any other resource as JSON',
    refusal: '400 `ResourceSizeLimitExceeded`',
  },
  stores: {most: 500, counts: 'stores of a customer', refusal: '400 `InvalidJsonInput`'},
  storeEntries: {
    most: 500,
    counts: 'languages, countries, channels or product selections of a store',
    refusal: '400 `InvalidJsonInput`, for an action `MaxResourceLimitExceeded`',
  },
  fieldDefinitions: {
    most: 500,
    counts: 'fields of a type',
    refusal: '400 `InvalidJsonInput`, for an action `MaxResourceLimitExceeded`',
  },
  enumValues: {
    most: 1_000,
    counts: 'values of an enum',
    refusal: '400 `InvalidJsonInput`, for an action `MaxResourceLimitExceeded`',
  },
  lineItems: {most: 500, counts: 'line items of a new cart, and custom ones', refusal: '400 `InvalidJsonInput`'},
  scopes: {most: 200, counts: 'scopes of an API client or a request', refusal: '400 `InvalidField` or `invalid_scope`'},
  scopeCharacters: {
    most: 20_000,
    counts: 'characters of a scope text',
    refusal: '400 `InvalidField` or `invalid_scope`',
  },
  where: {most: 10, counts: 'predicates of a query', refusal: '400 `InvalidInput`'},
  predicateCharacters: {most: 16_000, counts: 'characters of a predicate', refusal: '400 `InvalidInput`'},
  predicateDepth: {most: 20, counts: 'levels of nesting in a predicate', refusal: '400 `InvalidInput`'},
  conditions: {most: 500, counts: 'conditions over all predicates of a query', refusal: '400 `InvalidInput`'},
  listValues: {most: 1_000, counts: 'values of a variable that stands for a list', refusal: '400 `InvalidInput`'},
  queryValues: {
    most: 5_000,
    counts: 'values over all predicates of a query, those of a variable each time it is used',
    refusal: '400 `InvalidInput`',
  },
  searchCharacters: {most: 256, counts: 'characters of a text value of a search', refusal: '400 `InvalidInput`'},
  searchExpressions: {most: 50, counts: 'expressions of a search, compound ones too', refusal: '400 `InvalidInput`'},
  searchPageSize: {most: 100, counts: 'results of a page of a search', refusal: '400 `InvalidInput`'},
  searchOffset: {most: 9_900, counts: 'results to pass over in a search', refusal: '400 `InvalidInput`'},
  pageSize: {most: 500, counts: 'results of a page (`limit`)', refusal: '400 `InvalidInput`'},
  pageOffset: {most: 10_000, counts: 'results to pass over (`offset`)', refusal: '400 `InvalidInput`'},
  sortKeys: {most: 10, counts: 'sort keys of a query', refusal: '400 `InvalidInput`'},
  sortedCells: {
    most: 52_500,
    counts: 'results to order (`offset` and `limit` together) times sort keys',
    refusal: '400 `InvalidInput`',
  },
  expandPaths: {most: 20, counts: 'paths of `expand`', refusal: '400 `InvalidInput`'},
  expandDepth: {most: 8, counts: 'segments of an `expand` path', refusal: '400 `InvalidInput`'},
  expandedReferences: {
    most: 10_000,
    counts: 'references that one answer expands; a page ends before the next one',
    refusal: '400 `InvalidInput` for one document',
  },
  graphqlDepth: {most: 10, counts: 'levels of a GraphQL query, fragments written out', refusal: '400 `InvalidInput`'},
  graphqlFields: {most: 200, counts: 'fields of a GraphQL query, fragments written out', refusal: '400 `InvalidInput`'},
  graphqlSchemaDepth: {
    most: 20,
    counts: 'levels of a GraphQL query for the schema alone',
    refusal: '400 `InvalidInput`',
  },
  graphqlSchemaFields: {
    most: 500,
    counts: 'fields of a GraphQL query for the schema alone',
    refusal: '400 `InvalidInput`',
  },
  graphqlRoots: {most: 5, counts: 'fields of a GraphQL query at its root', refusal: '400 `InvalidInput`'},
  graphqlValues: {most: 5_000, counts: 'values of a GraphQL answer', refusal: 'an error `InvalidInput` in its place'},
  replyBytes: {
    most: 33_554_432,
    counts: 'bytes of an answer; a page that is full by bytes ends early',
    refusal: '400 `InvalidInput`, which names `expand` or `limit`',
  },
  queries: {
    most: 32,
    counts: 'queries that have begun and are not answered',
    refusal: 'they wait',
  },
  scans: {most: 2, counts: 'long queries that work at once; more wait', refusal: 'they wait'},
  waitingScans: {most: 16, counts: 'long queries that wait for their turn', refusal: '503 `OverCapacity`'},
  queryWorkMs: {
    most: 10_000,
    counts: 'milliseconds of CPU time that one query works, its waiting left out',
    refusal: '503 `OverCapacity`, which names what no index serves',
  },
  waitingPasswords: {most: 64, counts: 'passwords that wait to be hashed', refusal: '503 `OverCapacity`'},
  resolvingNames: {
    most: 2,
    counts: 'host names of External OAuth that are being resolved at once',
    refusal: '502 `ExternalOAuthFailed`',
  },
  askingExternally: {
    most: 1_000,
    counts: 'tokens that External OAuth is being asked about at once',
    refusal: '502 `ExternalOAuthFailed`',
  },
  forwarded: {
    most: 256,
    counts: 'requests that are with the fallback server at once',
    refusal: '503 `OverCapacity`',
  },
  forwardedBodyBytes: {
    most: 16_777_216,
    counts: 'bytes of a body on its way to the fallback server',
    refusal: '413 `ContentTooLarge`',
  },
  forwardedReplyBytes: {
    most: 67_108_864,
    counts: 'bytes of an answer of the fallback server',
    refusal: '502 `BadGateway`, or an answer that breaks off',
  },
  requestsKept: {
    most: 1_000,
    counts: 'requests kept in memory for `server requests`',
    refusal: 'the oldest is dropped',
  },
  requestBytesKept: {most: 16_777_216, counts: 'bytes of these requests', refusal: 'the oldest is dropped'},
  tokensKept: {
    most: 200,
    counts: 'one-time tokens kept in memory for `server outbox`',
    refusal: 'the oldest is dropped',
  },
  windowStreams: {
    most: 5,
    counts: 'pages of `server open` that follow a server at once',
    refusal: '503 `OverCapacity`',
  },
  keptBodyBytes: {
    most: 65_536,
    counts: 'bytes of a body kept with its request, if bodies are kept',
    refusal: 'its size alone is kept',
  },
} as const satisfies Readonly<Record<string, Limit>>

type LimitName = keyof typeof limitTable

/** Where limits come from: what the platform was seen to enforce, or its reference alone says. All others are ours. */
export const limitSources: Partial<Record<LimitName, 'reference and observed' | 'reference'>> = {
  documentBytes: 'reference',
  actions: 'reference',
  searchExpressions: 'reference',
  searchPageSize: 'reference',
  searchOffset: 'reference',
  pageSize: 'reference',
  pageOffset: 'reference and observed',
}

/** The limits by name. */
export const limits = Object.fromEntries(
  Object.entries(limitTable).map(([name, {most}]) => [name, most]),
) as unknown as {readonly [N in LimitName]: (typeof limitTable)[N]['most']}
