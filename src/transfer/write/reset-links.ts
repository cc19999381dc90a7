import {createPasswordToken} from '../../api/accounts/passwords.js'
import type {Client} from '../../client/client.js'
import {defined} from '../../domain/equal.js'
import {ApiError} from '../../domain/errors.js'
import {InputError} from '../files/input-error.js'
import {openPrivateTable} from '../files/private-table.js'
import type {RowDraft} from '../input/row-draft.js'
import type {Outcome} from '../jobs/journal-lines.js'
import {type Sender, UnexpectedResponse} from '../send/sender.js'
import {lacksPassword} from './creation.js'

/** A customer was created, and for want of an answer there is no token yet: the run stops, and makes it when resumed. */
export class NoResetLink extends Error {
  override readonly name = 'NoResetLink'
}

interface ResetLinksOptions {
  readonly client: Client
  readonly sender: Sender
  /** How long the tokens are valid: 1 to 43,200. */
  readonly ttlMinutes: number
}

const columns = ['email', 'key', 'token', 'expiresAt', 'customerId']

export type ResetLinks = Awaited<ReturnType<typeof openResetLinks>>

/**
 * Makes a token for each customer that the run creates with a password that nobody keeps. The token is in the file before
 * the journal calls the row finished, and a customer with a line there gets no second one. A token whose answer was lost
 * is ended by the next. Begins the file, or goes on with that of a resumed job. Throws InputError if it exists and is
 * nobody's.
 */
export async function openResetLinks(path: string, resumed: boolean, {client, sender, ttlMinutes}: ResetLinksOptions) {
  if (path === '-') throw new InputError('Reset links go to a file, not to the output.', {remedy: 'Name a new file.'})
  const table = await openPrivateTable(path, {columns, what: 'reset links', resumed})
  /** Those with a line in the file, by id. */
  const customers = new Set<string>()
  for await (const line of table.lines()) customers.add(line.slice(line.lastIndexOf(',') + 1))
  const add = async (customerId: string, {email = '', key, stores}: RowDraft): Promise<void> => {
    const store = client.storeKey ?? stores?.[0]?.key
    const place = store === undefined ? client : client.inStore(store)
    const body = {email, ttlMinutes, invalidateOlderTokens: true}
    const token = await sender.send(() => place.call(createPasswordToken, {}, {body}))
    if (token.customerId !== customerId) throw new UnexpectedResponse('The token is of another customer.')
    await table.add([email, key ?? undefined, token.value, token.expiresAt, customerId])
    customers.add(customerId)
  }
  return {
    /** What became of a row, once its customer has a token. Throws NoResetLink. */
    async after(outcome: Outcome, draft: RowDraft, isIntended: boolean): Promise<Outcome> {
      if (outcome.outcome === 'failed' || outcome.id === undefined || !lacksPassword(draft)) return outcome
      // The run before may have created what is now found: its row is not finished before there is a token.
      const isOurs = outcome.outcome === 'created' || (isIntended && outcome.outcome !== 'skipped')
      if (!isOurs || customers.has(outcome.id)) return outcome
      try {
        await add(outcome.id, draft)
        return outcome
      } catch (error) {
        if (!isOfRow(error)) throw new NoResetLink('A reset link could not be made.', {cause: error})
        const {correlationId} = error
        const message = `The customer was created, but has no reset link: ${error.message}`
        return {outcome: 'failed', code: 'NoResetLink', message, ...defined({correlationId})}
      }
    },
    close: table.close,
  }
}

/** What the server refuses of this customer alone, so that a repeat would end the same. */
const isOfRow = (error: unknown): error is ApiError =>
  error instanceof ApiError && [400, 404, 409].includes(error.statusCode)
