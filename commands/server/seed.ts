import {Args} from '@oclif/core'
import {writeFlags} from '../../src/cli/input/flags.js'
import {moneyText} from '../../src/cli/output/money.js'
import {seedLocal} from '../../src/cli/server/access.js'
import {quoteSeedFlags, quoteSeedOf, quoteSeedText, seedQuote} from '../../src/cli/server/quote-seed.js'
import {ServerCommand} from '../../src/cli/server/server-command.js'
import {defined} from '../../src/domain/equal.js'

export default class ServerSeed extends ServerCommand<typeof ServerSeed> {
  static override shows = 'installation' as const
  static override summary = 'Create a project from a seed pack, or add a quote to one'
  static override description =
    'A seed pack is a folder with one JSON list for each collection; demo is built in. An existing project stays unchanged. Without a folder, creates an empty project. --quote-for creates a pending quote from a cart.'
  static override examples = [
    '<%= config.bin %> server seed demo --project-key demo',
    '<%= config.bin %> server seed --project-key demo --quote-for key=zofia-lecka --cart zofia-to-quote --quote-key spring-order',
  ]
  static override args = {
    folder: Args.string({ignoreStdin: true, description: 'a seed pack: demo, which is built in, or a folder'}),
  }
  static override flags = {...quoteSeedFlags, ...writeFlags}

  protected override everyProject = false

  async run(): Promise<void> {
    const {dataDir, projectKey} = this.local
    const {folder} = this.args
    const quoteSeed = quoteSeedOf(this.flags)
    const done = await this.effect({
      settle: 'by itself',
      plan: () => [
        {projectKey, folder, ...defined({quote: quoteSeed})},
        [
          ...(folder === undefined && quoteSeed ? [] : [`would seed '${projectKey}' in ${dataDir}`]),
          ...(quoteSeed ? [`would make ${quoteSeedText(quoteSeed)}`] : []),
        ].join('\n'),
      ],
      target: projectKey,
      actions: ['seed'],
      request: async () => ({
        // A quote needs an existing project: without a folder none is created.
        seeding: folder === undefined && quoteSeed ? undefined : await seedLocal(dataDir, projectKey, folder),
        quote: quoteSeed && (await seedQuote({dataDir, projectKey}, quoteSeed)),
      }),
    })
    if (!done) return
    const {seeding, quote} = done
    await this.output.answer(
      {projectKey, ...seeding, ...defined({quote})},
      [
        ...(seeding ? [this.#seeded(seeding)] : []),
        ...(quote ? [`quote ${quote.key ?? quote.id}: ${quote.quoteState}, ${moneyText(quote.totalPrice)}`] : []),
      ].join('\n'),
    )
  }

  #seeded({seeded, counts}: {seeded: boolean; counts: Readonly<Record<string, number>>}): string {
    const {projectKey} = this.local
    if (seeded) {
      const total = Object.entries(counts).map(([kind, count]) => `${count} ${plural(kind, count)}`)
      return `seeded '${projectKey}': ${total.join(', ')}`
    }
    return this.args.folder === undefined
      ? `project '${projectKey}' is there`
      : `project '${projectKey}' exists; the seed was skipped`
  }
}

/** `15 customers`, `1 tax category`. */
const plural = (kind: string, count: number): string => {
  const words = kind.replaceAll('-', ' ')
  return count === 1
    ? words
    : words
        .replace(/y$/, 'ie')
        .replace(/(s|x|ch)$/, '$1e')
        .concat('s')
}
