import type {Operation} from '../../api/operation/operation.js'
import {type Assertion, assertAll, checkCount, parseAssertion, parseCountRange} from '../input/assertions.js'
import {allPages, type Paged, pageOf, type QueryFlags} from '../input/query-options.js'
import type {View} from '../output/view.js'
import type {Output} from '../run/output.js'
import type {Run} from '../run/run.js'

type QueryOperation = Operation<string, undefined, Paged>

type QueryRun = Run<
  QueryFlags & {
    readonly all?: boolean
    readonly assert?: readonly string[] | undefined
    readonly 'expect-count'?: string | undefined
  }
>

/** Runs a query operation and prints one page, or with `--all` all results. */
export async function askQuery(run: QueryRun, output: Output, operation: QueryOperation, view: View): Promise<void> {
  const {flags} = run
  const assertions = (flags.assert ?? []).map(parseAssertion)
  const range = flags['expect-count'] === undefined ? undefined : parseCountRange(flags['expect-count'])
  const show = async (page: Paged): Promise<void> => {
    if (range) checkCount(page.total ?? page.count, range)
    for (const document of page.results) assertAll(document, assertions)
    await output.list({...page}, view, '--all shows the rest.')
  }
  if (!flags.all) {
    const client = await run.client()
    await show(await client.call(operation, {}, {query: pageOf(flags)}))
    return
  }
  if (output.form === 'jsonl' && !range && flags.out === undefined) {
    await stream(run, output, operation, view, assertions)
    return
  }
  const results = []
  const client = await run.client()
  for await (const page of allPages(client, operation, flags)) results.push(...page)
  const count = results.length
  await show({limit: count, offset: 0, count, total: count, results})
}

/** Prints JSON Lines page by page, so that memory stays constant. */
async function stream(
  run: QueryRun,
  output: Output,
  operation: QueryOperation,
  view: View,
  assertions: readonly Assertion[],
): Promise<void> {
  for await (const results of allPages(await run.client(), operation, run.flags)) {
    for (const document of results) assertAll(document, assertions)
    await output.page({results}, view)
  }
}
