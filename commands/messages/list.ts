import {queryMessages} from '../../src/api/project/messages.js'
import {customerExists} from '../../src/cli/customers/calls.js'
import {noSuchCustomer} from '../../src/cli/customers/candidates.js'
import {checkCount, parseCountRange} from '../../src/cli/input/assertions.js'
import {queryFlags} from '../../src/cli/input/flags.js'
import {pageOf, type ResultPage} from '../../src/cli/input/query-options.js'
import {parseRef} from '../../src/cli/input/refs.js'
import {MessageCommand} from '../../src/cli/messages/message-command.js'
import {type SelectFlags, selectFlags, selection, withoutValue} from '../../src/cli/messages/select.js'
import {messageView} from '../../src/cli/output/views.js'
import type {ResolvedTarget} from '../../src/cli/target/target.js'
import type {Client} from '../../src/client/client.js'
import {ApiError} from '../../src/domain/errors.js'

/**
 * One page of messages, the newest first. Throws not found if it is empty since nobody has the id that was given: an
 * empty list would say that nothing happened.
 */
async function selectedMessages(client: Client, flags: SelectFlags, resolved: ResolvedTarget): Promise<ResultPage> {
  const page = await asked(client, flags, resolved, true)
  const {resource, type, where, offset} = flags
  if (resource === undefined || page.count > 0 || type !== undefined || where !== undefined || offset) return page
  const ref = parseRef(resource)
  if (ref.by === 'id' && !(await customerExists(client, ref))) throw noSuchCustomer(ref)
  return page
}

async function asked(
  client: Client,
  flags: SelectFlags,
  resolved: ResolvedTarget,
  tokens: boolean,
): Promise<ResultPage> {
  const query = {...pageOf(flags), ...(await selection(client, flags, resolved, {tokens}))}
  try {
    return await client.call(queryMessages, {}, {query: {sort: ['createdAt desc'], ...query}})
  } catch (error) {
    // Other servers may not let one ask for the customer of a token.
    const isOther = tokens && flags.resource !== undefined && resolved.target.kind === 'remote'
    if (isOther && error instanceof ApiError && error.statusCode === 400) return asked(client, flags, resolved, false)
    throw error
  }
}

const {all: _, assert: __, ...flags} = queryFlags

export default class MessagesList extends MessageCommand<typeof MessagesList> {
  static override summary = 'List messages, newest first'
  static override description =
    'The project keeps messages for 15 days by default. Values of tokens are masked without --reveal value.'
  static override examples = [
    '<%= config.bin %> messages list --resource key=ada -n 10',
    '<%= config.bin %> messages list --type CustomerEmailChanged --type CustomerEmailVerified',
  ]
  static override flags = {...flags, ...selectFlags}

  async run(): Promise<void> {
    const range = this.flags['expect-count'] === undefined ? undefined : parseCountRange(this.flags['expect-count'])
    const client = await this.client()
    const page = await selectedMessages(client, this.flags, this.resolved)
    if (range) checkCount(page.total ?? page.count, range)
    const {reveal} = this.flags
    const results = page.results.map((message) => withoutValue(message, reveal))
    await this.output.list({...page, results}, messageView, '--limit and --offset show more.')
  }
}
