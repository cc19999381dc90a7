import {BaseCommand} from '../../src/cli/command/base-command.js'
import {queryFlags} from '../../src/cli/command/flags.js'
import {messageReads} from '../../src/cli/command/operations.js'
import {customerExists} from '../../src/cli/customers/calls.js'
import {nobodyHas} from '../../src/cli/customers/candidates.js'
import {checkCount, parseCountRange} from '../../src/cli/input/assertions.js'
import {type Paged, pageOf} from '../../src/cli/input/query-options.js'
import {parseRef} from '../../src/cli/input/refs.js'
import {messagePage, withoutValue} from '../../src/cli/messages/query.js'
import {selectFlags, selection} from '../../src/cli/messages/select.js'
import {cutNote} from '../../src/cli/output/cut-note.js'
import {messageView} from '../../src/cli/output/views.js'
import type {Client} from '../../src/client/client.js'
import {ApiError} from '../../src/domain/errors.js'

const {all: _, assert: __, ...flags} = queryFlags

export default class MessagesList extends BaseCommand<typeof MessagesList> {
  static override operations = messageReads
  static override summary = 'List messages, the newest first'
  static override description =
    'Messages are kept for 15 days unless the project sets another time. Token values are masked without --reveal value.'
  static override examples = [
    '<%= config.bin %> messages list --resource key=ada -n 10',
    '<%= config.bin %> messages list --type CustomerEmailChanged --type CustomerEmailVerified',
  ]
  static override flags = {...flags, ...selectFlags}

  async run(): Promise<void> {
    const range = this.flags['expect-count'] === undefined ? undefined : parseCountRange(this.flags['expect-count'])
    const client = await this.client()
    const page = await this.#page(client)
    await this.#checkResource(client, page)
    if (range) checkCount(page.total ?? page.count, range)
    const results = page.results.map((message) => withoutValue(message, this.flags.reveal))
    await this.output.page({...page, results}, messageView)
    const cut = cutNote(page, this.output.form, '--limit and --offset show more.')
    if (cut !== undefined) this.say(cut)
  }

  async #page(client: Client, tokens = true): Promise<Paged> {
    const query = {...pageOf(this.flags), ...(await selection(client, this.flags, this.resolved, {tokens}))}
    try {
      return await messagePage(client, {sort: ['createdAt desc'], ...query})
    } catch (error) {
      // Other servers may not let one ask for the customer of a token.
      const isOther = tokens && this.flags.resource !== undefined && this.resolved.target.kind === 'remote'
      if (isOther && error instanceof ApiError && error.statusCode === 400) return this.#page(client, false)
      throw error
    }
  }

  /** Throws not found if the list is empty since nobody has the id: an empty list would say that nothing happened. */
  async #checkResource(client: Client, {count}: Paged): Promise<void> {
    const {resource, type, where, offset} = this.flags
    if (resource === undefined || count > 0 || type !== undefined || where !== undefined || offset) return
    const ref = parseRef(resource)
    if (ref.by === 'id' && !(await customerExists(client, ref))) throw nobodyHas(ref)
  }
}
