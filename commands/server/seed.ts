import {type FlagValues, optionalArg, textFlag, writeFlags} from '../../src/cli/input/flags.js'
import {parseRef, refText} from '../../src/cli/input/refs.js'
import {moneyText} from '../../src/cli/output/money.js'
import {invalidValue, usage} from '../../src/cli/process/failure.js'
import {ambiguous} from '../../src/cli/quotes/identity.js'
import {ServerCommand} from '../../src/cli/server/server-command.js'
import {countsText} from '../../src/cli/server/views.js'
import {type AdminReply, administer} from '../../src/client/local/admin.js'
import {defined} from '../../src/domain/equal.js'
import {isKey} from '../../src/domain/rules.js'
import {seedFolder} from '../../src/files/shipped.js'

const quoteSeedFlags = {
  'quote-for': textFlag('REF', 'Create a pending quote for this customer, valid for thirty days.', {
    dependsOn: ['cart'],
  }),
  cart: textFlag('KEY', 'Cart of the customer with the items of the quote, for --quote-for.', {
    dependsOn: ['quote-for'],
  }),
  'quote-key': textFlag('KEY', 'Key of the new quote.', {dependsOn: ['quote-for']}),
}

function quoteSeedOf({'quote-for': customer, cart, 'quote-key': key}: FlagValues<typeof quoteSeedFlags>) {
  if (customer === undefined || cart === undefined) return undefined
  if (cart.trim() === '') throw usage('--cart is empty.', 'Give the key of a cart.')
  if (key !== undefined && !isKey(key)) {
    throw invalidValue(`'${key}' cannot be a key.`, 'Keys are 2 to 256 letters, digits, - and _.')
  }
  return {customer: parseRef(customer), cart: cart.replace(/^key=/, ''), ...defined({key})}
}

export default class ServerSeed extends ServerCommand<typeof ServerSeed> {
  static override summary = 'Create a project from a seed pack, or add a quote to a project'
  static override description =
    'A seed pack is a folder with one JSON list for each collection; demo is built in. A project that is not empty stays unchanged. Without a folder, creates an empty project. --quote-for creates a pending quote from a cart.'
  static override examples = [
    '<%= config.bin %> server seed demo',
    '<%= config.bin %> server seed --quote-for key=zofia-lecka --cart zofia-to-quote --quote-key summer-order',
  ]
  static override args = {folder: optionalArg('a seed pack: demo, which is built in, or a folder')}
  static override flags = {...quoteSeedFlags, ...writeFlags}

  protected override everyProject = false

  async run(): Promise<void> {
    const {dataDir, projectKey} = this.local
    const {folder} = this.args
    const quoteSeed = quoteSeedOf(this.flags)
    // The server may run in another folder.
    const body = {projectKey, ...defined({seedDir: folder && seedFolder(folder)})}
    const done = await this.effect({
      settle: 'by itself',
      plan: () => [
        {projectKey, folder, ...defined({quote: quoteSeed})},
        [
          ...(folder === undefined && quoteSeed ? [] : [`would seed '${projectKey}' in ${dataDir}`]),
          ...(quoteSeed
            ? [`would make a quote for ${refText(quoteSeed.customer)} from the cart ${quoteSeed.cart}`]
            : []),
        ].join('\n'),
      ],
      target: projectKey,
      actions: ['seed'],
      request: async () => ({
        // A quote needs an existing project: without a folder none is created.
        seeding:
          folder === undefined && quoteSeed
            ? undefined
            : await administer(dataDir, 'addProject', {body, isRepeatable: true}),
        quote:
          quoteSeed &&
          (await administer(dataDir, 'addQuote', {body: {projectKey, ...quoteSeed}}).catch((error: unknown) =>
            Promise.reject(ambiguous(error)),
          )),
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

  #seeded({seeded, counts}: AdminReply<'addProject'>): string {
    const {projectKey} = this.local
    if (seeded) return `seeded '${projectKey}': ${countsText(Object.entries(counts))}`
    return this.args.folder === undefined
      ? `project '${projectKey}' is there`
      : `project '${projectKey}' is not empty; the seed was skipped`
  }
}
