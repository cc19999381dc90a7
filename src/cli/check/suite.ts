import * as v from 'valibot'
import {checkedRequest} from '../customers/raw-call.js'
import {parseAssertion, parseCountRange} from '../input/assertions.js'
import {jsonOf, textOf} from '../input/json-input.js'
import {parseRef} from '../input/refs.js'
import {Failure} from '../process/failure.js'
import type {Io} from '../process/io.js'

/** A suite of checks as a file holds it. All problems of the file are reported at once, each with its path. */

const texts = (limit: number) => v.pipe(v.array(v.pipe(v.string(), v.nonEmpty())), v.maxLength(limit))

function refusalOf(read: () => unknown): string | undefined {
  try {
    read()
    return undefined
  } catch (error) {
    if (error instanceof Failure) return [error.message, ...error.hints].join(' ')
    throw error
  }
}

const readable = (read: (text: string) => unknown) =>
  v.rawCheck<string>(({dataset, addIssue}) => {
    if (!dataset.typed) return
    const message = refusalOf(() => read(dataset.value))
    if (message !== undefined) addIssue({message})
  })

const Assertions = v.pipe(v.array(v.pipe(v.string(), v.nonEmpty(), readable(parseAssertion))), v.maxLength(100))

const Resource = v.picklist(['customers', 'quotes', 'carts', 'messages'])
const Where = {
  where: v.exactOptional(texts(20)),
  var: v.exactOptional(v.record(v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]+$/)), v.string())),
}

const Query = v.strictObject({
  resource: Resource,
  ...Where,
  sort: v.exactOptional(texts(10)),
  limit: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(500))),
  expand: v.exactOptional(texts(20)),
})

const Ref = v.pipe(v.string(), readable(parseRef))
const Get = v.strictObject({resource: Resource, ref: Ref, expand: v.exactOptional(texts(20))})
const Exists = v.pipe(
  v.strictObject({resource: Resource, ref: v.exactOptional(Ref), ...Where}),
  v.check(({ref, where}) => (ref === undefined) !== (where === undefined), 'Give either `ref` or `where`.'),
)
const Raw = v.strictObject({
  path: v.pipe(
    v.string(),
    readable((path) => checkedRequest('GET', path)),
  ),
})

const requests = ['query', 'get', 'exists', 'raw'] as const

const Check = v.pipe(
  v.strictObject({
    name: v.pipe(v.string(), v.nonEmpty(), v.maxLength(200)),
    query: v.exactOptional(Query),
    get: v.exactOptional(Get),
    exists: v.exactOptional(Exists),
    raw: v.exactOptional(Raw),
    assert: v.exactOptional(Assertions),
    expectCount: v.exactOptional(
      v.pipe(
        v.union([v.pipe(v.number(), v.integer(), v.minValue(0)), v.string()], 'A count is a number or "N..M".'),
        v.transform(String),
        readable(parseCountRange),
      ),
    ),
    expectStatus: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(200), v.maxValue(599))),
  }),
  v.check(
    (check) => requests.filter((kind) => check[kind] !== undefined).length === 1,
    `A check has exactly one of ${requests.join(', ')}.`,
  ),
  v.check(({expectCount, query}) => expectCount === undefined || query !== undefined, '`expectCount` needs a `query`.'),
  v.check(({expectStatus, raw}) => expectStatus === undefined || raw !== undefined, '`expectStatus` needs `raw`.'),
)

export const Suite = v.strictObject({
  $schema: v.exactOptional(v.string()),
  name: v.exactOptional(v.pipe(v.string(), v.nonEmpty(), v.maxLength(200))),
  checks: v.pipe(
    v.array(Check),
    v.minLength(1, 'There is no check.'),
    v.maxLength(10_000),
    v.checkItems(({name}, at, all) => all.findIndex((one) => one.name === name) === at, 'Another check has this name.'),
  ),
})

export type Check = v.InferOutput<typeof Check>
export type Suite = v.InferOutput<typeof Suite>

/** Reads a suite. Throws a usage error that lists every problem with its path. */
export async function readSuite(path: string, io: Io): Promise<Suite> {
  const text = await textOf(path === '-' ? path : `@${path}`, 'the path', io)
  const parsed = v.safeParse(Suite, jsonOf(text.replace(/^\ufeff/, ''), path, 'Correct the file.'))
  if (parsed.success) return parsed.output
  const details = parsed.issues.slice(0, 50).map((issue) => ({path: pathOf(issue), message: issue.message}))
  const [first] = details
  const more = details.length > 1 ? ` (and ${details.length - 1} more)` : ''
  throw new Failure('usage', 'SuiteInvalid', `${path} at ${first?.path}: ${first?.message}${more}`, {
    hints: ['Correct the file; nothing was sent. fixtures/checks/staging.json is an example.'],
    details,
  })
}

/** `checks[3].assert[0]`, as one would write it in a program. */
function pathOf({path}: v.BaseIssue<unknown>): string {
  const steps = (path ?? []).map(({key}) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
  return steps.join('').replace(/^\./, '') || 'the top'
}
