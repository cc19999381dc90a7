import type {Operation} from '../../api/operation/operation.js'
import {Assertions, checkCount, checkSome, parseCountRange} from '../input/assertions.js'
import {allPages, pageOf, type QueryFlags, type ResultPage} from '../input/query-options.js'
import type {View} from '../output/view.js'
import type {Output} from '../run/output.js'
import type {Run} from '../run/run.js'

type QueryOperation = Operation<string, undefined, ResultPage>

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
  const assertions = new Assertions(flags.assert, run)
  const range = flags['expect-count'] === undefined ? undefined : parseCountRange(flags['expect-count'])
  const check = async (documents: readonly unknown[]): Promise<void> => {
    for (const document of documents) await assertions.check(document)
  }
  const show = async (page: ResultPage): Promise<void> => {
    if (range) checkCount(page.total ?? page.count, range)
    checkSome(page.results.length, assertions, range)
    await check(page.results)
    const {first} = view
    const isOrdered = first === undefined || flags.sort !== undefined || output.form !== undefined
    const results = isOrdered ? page.results : [...page.results].sort((a, b) => Number(first(b)) - Number(first(a)))
    await output.list({...page, results}, view, '--all shows the rest.')
  }
  const client = await run.client()
  if (!flags.all) return show(await client.call(operation, {}, {query: pageOf(flags)}))
  // JSON Lines are printed page by page, so that memory stays constant.
  const isStreamed = output.form === 'jsonl' && !range && flags.out === undefined
  const all: ResultPage['results'][number][] = []
  let streamed = 0
  for await (const results of allPages(client, operation, flags)) {
    if (isStreamed) {
      await check(results)
      streamed += results.length
      await output.page({results}, view)
    } else all.push(...results)
  }
  const count = all.length
  if (isStreamed) checkSome(streamed, assertions, range)
  else await show({limit: count, offset: 0, count, total: count, results: all})
}
