import type {Operation} from '../api/operation.js'
import {assertAll, checkCount, parseAssertion, parseCountRange} from './assertions.js'
import {BaseCommand} from './base-command.js'
import {queryFlags} from './flags.js'
import {allPages, type Paged, pageOf} from './query-options.js'
import type {View} from './render/view.js'

/** A command that asks one query operation: a page, or with `--all` everything. */
export abstract class QueryCommand extends BaseCommand<typeof QueryCommand> {
  static override flags = queryFlags

  protected abstract readonly operation: Operation<string, undefined, Paged>
  protected abstract readonly view: View

  async run(): Promise<void> {
    const assertions = (this.flags.assert ?? []).map(parseAssertion)
    const range = this.flags['expect-count'] === undefined ? undefined : parseCountRange(this.flags['expect-count'])
    if (this.flags.all) {
      if (this.output.form === 'jsonl' && !range && this.flags.out === undefined) return this.#stream(assertions)
      const results = []
      const client = await this.client()
      for await (const page of allPages(client, this.operation, this.flags)) results.push(...page)
      const count = results.length
      await this.#show({limit: count, offset: 0, count, total: count, results}, {assertions, range})
      return
    }
    const client = await this.client()
    const page = await client.call(this.operation, {}, {query: pageOf(this.flags)})
    await this.#show(page, {assertions, range})
  }

  async #show(
    page: Paged,
    {
      assertions,
      range,
    }: {assertions: ReturnType<typeof parseAssertion>[]; range: ReturnType<typeof parseCountRange> | undefined},
  ): Promise<void> {
    if (range) checkCount(page.total ?? page.count, range)
    for (const document of page.results) assertAll(document, assertions)
    await this.output.page({...page}, this.view)
    const {total, count, offset} = page
    if (total !== undefined && total > offset + count && this.output.form === undefined) {
      this.say(`${count} of ${total} shown: --all shows the rest.`)
    }
  }

  /** JSON Lines go out page by page, so that memory stays flat. */
  async #stream(assertions: ReturnType<typeof parseAssertion>[]): Promise<void> {
    const client = await this.client()
    for await (const results of allPages(client, this.operation, this.flags)) {
      for (const document of results) assertAll(document, assertions)
      await this.output.page({results}, this.view)
    }
  }
}
