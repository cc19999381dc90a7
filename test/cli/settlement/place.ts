import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import type {Customer} from '../../../src/domain/customers/customer.js'
import {ApiError} from '../../../src/domain/errors.js'
import {type Client, connect, operations} from '../../../src/index.js'
import type {Ended} from '../run.js'

/** Every command that writes: what is run, and how the store itself tells whether it had its effect. */

export interface Trial {
  readonly argv: readonly string[]
  readonly stdin?: string
  /** Asks the store, past the proxy. */
  readonly isDone: (ended: Ended, target?: string) => Promise<boolean>
}

export interface Row {
  readonly command: string
  readonly what?: string
  /** Which write of the command is struck; the first if absent. */
  readonly nth?: number
  /** No reading can tell whether such a write had its effect. */
  readonly untold?: true
  readonly changesNothing?: true
  /** Who repeats is the engine, or the transport; both have tests of their own. */
  readonly isRepeatedElsewhere?: true
  /** Meets every fault there is; the others, whose requests pass the same code, one of each kind. */
  readonly meetsAll?: true
  /** Somebody else has what the customer would have. */
  readonly isTaken?: true
  readonly prepare: (name: string, place: Place) => Promise<Trial>
}

export interface Place {
  /** A client past the proxy. */
  readonly client: Client
  readonly dataDir: string
  /** For files of the run. */
  readonly folder: string
}

export const draft = (name: string) => ({
  email: `${name}@example.com`,
  key: name,
  firstName: 'Nell',
  lastName: 'Harrow',
})

export const made = async ({client}: Place, name: string, more: object = {}): Promise<Customer> =>
  (
    await client.call(
      operations.createCustomer,
      {},
      {body: {...draft(name), authenticationMode: 'ExternalAuth', ...more}},
    )
  ).customer

export const withPassword = {authenticationMode: 'Password', password: 'first-password'}

export const now = ({client}: Place, {id}: {readonly id: string}): Promise<Customer> =>
  client.call(operations.getCustomerById, {id})

export async function isThere(place: Place, key: string): Promise<boolean> {
  try {
    await place.client.call(operations.getCustomerByKey, {key})
    return true
  } catch (error) {
    if (error instanceof ApiError && error.statusCode === 404) return false
    throw error
  }
}

export async function signsIn({client}: Place, name: string, password: string): Promise<boolean> {
  try {
    await client.call(operations.signInCustomer, {}, {body: {email: `${name}@example.com`, password}})
    return true
  } catch (error) {
    if (error instanceof ApiError && error.is('InvalidCredentials')) return false
    throw error
  }
}

export const file = ({folder}: Place, name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text, {mode: 0o600})
  return path
}

export const tokenOf = ({json}: Ended): string => {
  const {value} = json as {readonly value: unknown}
  expect(value).to.be.a('string')
  return String(value)
}

export const passwordToken = async ({client}: Place, name: string): Promise<string> =>
  (await client.call(operations.createPasswordToken, {}, {body: {email: `${name}@example.com`}})).value

export const opens = async (asked: Promise<unknown>): Promise<boolean> =>
  asked.then(
    () => true,
    () => false,
  )

export const keyed = ({client}: Place, key: string): Promise<Customer> =>
  client.call(operations.getCustomerByKey, {key})

export const connected = (apiUrl: string, clientId: string, secret: string): Promise<Client> =>
  connect({
    kind: 'remote',
    projectKey: 'demo',
    apiUrl,
    authUrl: apiUrl,
    credentials: {kind: 'client', clientId, secret: () => Promise.resolve(secret)},
  })
