import {createCustomer, type SignInResult} from '../../api/accounts/sign-up.js'
import type {Client, QueryValue} from '../../client/client.js'
import {keepsPasswordHashes} from '../../client/kept-hashes.js'
import {ApiError} from '../../domain/errors.js'
import type {Ref} from '../input/refs.js'
import {Failure, invalidValue} from '../process/failure.js'
import {customerOf} from './calls.js'

/** The reference to the customer of a draft: its key, otherwise its email. */
export const identityOf = (draft: Readonly<Record<string, unknown>>): Ref =>
  typeof draft['key'] === 'string'
    ? {by: 'key', value: draft['key']}
    : {by: 'email', value: String(draft['email'] ?? '')}

/** Throws InvalidValue for a draft whose password hash the server would ignore: its customer could not sign in. */
export async function checkHashIsKept(
  client: () => Promise<Client>,
  draft: Readonly<Record<string, unknown>>,
): Promise<void> {
  if (!('passwordHash' in draft) || (await keepsPasswordHashes(await client()))) return
  throw invalidValue(
    'This target keeps no password hashes, only a local server does; nothing was sent.',
    'Take passwordHash out, and give --generate-password or --external-auth; `frontdesk customers reset-password` then lets the customer set one.',
  )
}

/** The customer that a draft would collide with; undefined if there is none. */
export async function existing(client: Client, ref: Ref): Promise<SignInResult | undefined> {
  try {
    return {customer: await customerOf(client, ref)}
  } catch (error) {
    const absent =
      (error instanceof ApiError && error.statusCode === 404) ||
      (error instanceof Failure && error.ending === 'notFound')
    if (absent) return undefined
    throw error
  }
}

export const create = (
  client: Client,
  draft: Readonly<Record<string, unknown>>,
  expand: readonly string[] | undefined,
): Promise<SignInResult> => {
  const query: Record<string, QueryValue> = expand === undefined ? {} : {expand}
  return client.call(createCustomer, {}, {query, body: draft})
}
