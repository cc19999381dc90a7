import {createPasswordToken} from '../../api/accounts/passwords.js'
import type {Client} from '../../client/client.js'
import {ApiError} from '../../domain/errors.js'
import {InputError} from '../files/input-error.js'
import {PrivateTable} from '../files/private-table.js'
import type {RowDraft} from '../input/row-draft.js'
import type {Outcome, RowFailure} from '../jobs/journal-lines.js'
import {type Sender, UnexpectedResponse} from '../send/sender.js'
import {lacksPassword} from './creation.js'

/** A customer was created, and for want of an answer there is no token yet: the run stops, and makes it when resumed. */
export class NoResetLink extends Error {
  override readonly name = 'NoResetLink'
}

export interface ResetLinksOptions {
  readonly client: Client
  readonly sender: Sender
  /** How long the tokens are valid: 1 to 43,200. */
  readonly ttlMinutes: number
}

const columns = ['email', 'key', 'token', 'expiresAt', 'customerId']

/**
 * Makes a token for each customer that the run creates with a password that nobody keeps. The token is in the file before
 * the journal calls the row finished, and a customer with a line there gets no second one. A token whose answer was lost
 * is ended by the next.
 */
export class ResetLinks {
  readonly #options: ResetLinksOptions
  readonly #table: PrivateTable
  /** Those with a line in the file, by id. */
  readonly #customers = new Set<string>()

  private constructor(options: ResetLinksOptions, table: PrivateTable) {
    this.#options = options
    this.#table = table
  }

  /** Begins the file, or goes on with that of a resumed job. Throws InputError if it exists and is nobody's. */
  static async open(path: string, resumed: boolean, options: ResetLinksOptions): Promise<ResetLinks> {
    if (path === '-') throw new InputError('Reset links go to a file, not to the output.', {remedy: 'Name a new file.'})
    const links = new ResetLinks(options, await PrivateTable.open(path, {columns, what: 'reset links', resumed}))
    for await (const line of links.#table.lines()) links.#customers.add(line.slice(line.lastIndexOf(',') + 1))
    return links
  }

  /** What became of a row, once its customer has a token. Throws NoResetLink. */
  async after(outcome: Outcome, draft: RowDraft, isIntended: boolean): Promise<Outcome> {
    if (outcome.outcome === 'failed' || outcome.id === undefined || !lacksPassword(draft)) return outcome
    // The run before may have created what is now found: its row is not finished before there is a token.
    const isOurs = outcome.outcome === 'created' || (isIntended && outcome.outcome !== 'skipped')
    if (!isOurs || this.#customers.has(outcome.id)) return outcome
    try {
      await this.#add(outcome.id, draft)
      return outcome
    } catch (error) {
      if (isOfRow(error)) return missing(error)
      throw new NoResetLink('A reset link could not be made.', {cause: error})
    }
  }

  async #add(customerId: string, {email = '', key, stores}: RowDraft): Promise<void> {
    const {client, sender, ttlMinutes} = this.#options
    const store = client.storeKey ?? stores?.[0]?.key
    const place = store === undefined ? client : client.inStore(store)
    const body = {email, ttlMinutes, invalidateOlderTokens: true}
    const token = await sender.send(() => place.call(createPasswordToken, {}, {body}))
    if (token.customerId !== customerId) throw new UnexpectedResponse('The token is of another customer.')
    await this.#table.add([email, key ?? undefined, token.value, token.expiresAt, customerId])
    this.#customers.add(customerId)
  }

  close(): Promise<void> {
    return this.#table.close()
  }
}

/** What the server refuses of this customer alone, so that a repeat would end the same. */
const isOfRow = (error: unknown): error is ApiError =>
  error instanceof ApiError && [400, 404, 409].includes(error.statusCode)

const missing = ({message, correlationId}: ApiError): RowFailure => ({
  outcome: 'failed',
  code: 'NoResetLink',
  message: `The customer was created, but has no reset link: ${message}`,
  ...(correlationId === undefined ? {} : {correlationId}),
})
