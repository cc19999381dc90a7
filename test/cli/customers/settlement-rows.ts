import {existsSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {administer} from '../../../src/client/local/admin.js'
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
  readonly prepare: (name: string, place: Place) => Promise<Trial>
}

export interface Place {
  /** A client past the proxy. */
  readonly client: Client
  readonly dataDir: string
  /** For files of the run. */
  readonly folder: string
}

const draft = (name: string) => ({email: `${name}@example.com`, key: name, firstName: 'Nell', lastName: 'Harrow'})

const made = async ({client}: Place, name: string, more: object = {}): Promise<Customer> =>
  (
    await client.call(
      operations.createCustomer,
      {},
      {body: {...draft(name), authenticationMode: 'ExternalAuth', ...more}},
    )
  ).customer

const withPassword = {authenticationMode: 'Password', password: 'first-password'}

const now = ({client}: Place, {id}: {readonly id: string}): Promise<Customer> =>
  client.call(operations.getCustomerById, {id})

async function isThere(place: Place, key: string): Promise<boolean> {
  try {
    await place.client.call(operations.getCustomerByKey, {key})
    return true
  } catch (error) {
    if (error instanceof ApiError && error.statusCode === 404) return false
    throw error
  }
}

async function signsIn({client}: Place, name: string, password: string): Promise<boolean> {
  try {
    await client.call(operations.signInCustomer, {}, {body: {email: `${name}@example.com`, password}})
    return true
  } catch (error) {
    if (error instanceof ApiError && error.is('InvalidCredentials')) return false
    throw error
  }
}

const file = ({folder}: Place, name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text, {mode: 0o600})
  return path
}

const tokenOf = ({json}: Ended): string => {
  const {value} = json as {readonly value: unknown}
  expect(value).to.be.a('string')
  return String(value)
}

const passwordToken = async ({client}: Place, name: string): Promise<string> =>
  (await client.call(operations.createPasswordToken, {}, {body: {email: `${name}@example.com`}})).value

const opens = async (asked: Promise<unknown>): Promise<boolean> =>
  asked.then(
    () => true,
    () => false,
  )

const zofia = {by: 'key', value: 'zofia-lecka'} as const

async function quoteRow(
  name: string,
  place: Place,
  argv: readonly string[],
  holds: (quote: QuoteNow) => boolean,
): Promise<Trial> {
  const whose = {projectKey: 'demo', customer: zofia}
  const quote = await administer(place.dataDir, 'addQuote', {body: {...whose, cart: 'zofia-to-quote', key: name}})
  const {access_token: token} = await administer(place.dataDir, 'issueCustomerToken', {body: whose})
  const path = `/demo/quotes/${quote.id}`
  return {
    argv: [...argv, `key=${name}`, '--customer-token-file', file(place, `${name}.token`, token), '--yes'],
    isDone: async () => holds((await place.client.raw('GET', path)).body as QuoteNow),
  }
}

interface QuoteNow {
  readonly quoteState: string
  readonly buyerComment?: string
  readonly version: number
}

export const rows: readonly Row[] = [
  {
    command: 'customers create',
    what: 'with a generated password',
    prepare: async (name, place) => {
      const secret = join(place.folder, `${name}.secret`)
      return {
        argv: [
          'customers',
          'create',
          '--email',
          `${name}@example.com`,
          '--key',
          name,
          '--generate-password',
          '--secret-out',
          secret,
        ],
        isDone: () => isThere(place, name),
      }
    },
  },
  {
    command: 'customers create',
    what: 'without a password or key, with an address and groups',
    prepare: async (name, place) => ({
      argv: [
        'customers',
        'create',
        '--email',
        `${name.toUpperCase()}@example.com`,
        '--external-auth',
        '--set',
        'addresses.0.country=DE',
        '--company',
        'Harrow Mill',
        '--verified',
      ],
      isDone: async () => {
        const query = {where: 'lowercaseEmail = :email', 'var.email': `${name}@example.com`}
        return (await place.client.call(operations.queryCustomers, {}, {query})).results.length === 1
      },
    }),
  },
  ...(['hazel-brandvold', 'owen-pell'] as const).map(
    (holder): Row => ({
      command: 'customers create',
      what: `where somebody else, ${holder}, has the email or the key`,
      prepare: async (name, place) => {
        const {id, email, key} = await keyed(place, holder)
        const taken =
          holder === 'owen-pell' ? ['--email', `${name}@example.com`, '--key', String(key)] : ['--email', email]
        const secret = join(place.folder, `${name}.secret`)
        return {
          argv: [
            'customers',
            'create',
            ...taken,
            '--first-name',
            'Mallory',
            '--generate-password',
            '--secret-out',
            secret,
          ],
          isDone: async () => existsSync(secret) || (await now(place, {id})).firstName === 'Mallory',
        }
      },
    }),
  ),
  {
    command: 'customers update',
    prepare: async (name, place) => {
      const customer = await made(place, name)
      return {
        argv: [
          'customers',
          'update',
          `key=${name}`,
          '--set',
          'title=Countess',
          '--add-address',
          '{"country":"FR","city":"Lyon"}',
          '--set',
          'companyName=Mill',
        ],
        isDone: async () => {
          const {title, addresses} = await now(place, customer)
          expect(addresses.length).to.equal(title === 'Countess' ? 1 : 0)
          return title === 'Countess'
        },
      }
    },
  },
  {
    command: 'customers delete',
    prepare: async (name, place) => {
      await made(place, name)
      return {argv: ['customers', 'delete', `key=${name}`, '--yes'], isDone: async () => !(await isThere(place, name))}
    },
  },
  {
    command: 'customers delete',
    what: 'with erasure',
    prepare: async (name, place) => {
      await made(place, name)
      return {
        argv: ['customers', 'delete', `key=${name}`, '--erase-personal-data', '--yes'],
        isDone: async () => !(await isThere(place, name)),
      }
    },
  },
  {
    command: 'customers reset-password',
    what: 'to a token',
    untold: true,
    prepare: async (name, place) => {
      await made(place, name, withPassword)
      return {
        argv: ['customers', 'reset-password', `key=${name}`, '--json'],
        isDone: (ended) =>
          opens(place.client.call(operations.getCustomerByPasswordToken, {passwordToken: tokenOf(ended)})),
      }
    },
  },
  ...[1, 2].map(
    (nth): Row => ({
      command: 'customers reset-password',
      what: `--set, write ${nth}`,
      nth,
      ...(nth === 1 ? {untold: true as const} : {}),
      prepare: async (name, place) => {
        await made(place, name, withPassword)
        return {
          argv: [
            'customers',
            'reset-password',
            `key=${name}`,
            '--set',
            '--new-password-file',
            file(place, name, 'second-password'),
          ],
          isDone: () => signsIn(place, name, 'second-password'),
        }
      },
    }),
  ),
  ...[1, 2].map(
    (nth): Row => ({
      command: 'customers verify-email',
      what: `write ${nth}`,
      nth,
      ...(nth === 1 ? {untold: true as const} : {}),
      prepare: async (name, place) => {
        const customer = await made(place, name)
        return {
          argv: ['customers', 'verify-email', `key=${name}`],
          isDone: async () => (await now(place, customer)).isEmailVerified,
        }
      },
    }),
  ),
  {
    command: 'customers change-password',
    prepare: async (name, place) => {
      await made(place, name, withPassword)
      return {
        argv: [
          'customers',
          'change-password',
          `key=${name}`,
          '--current-password-file',
          file(place, `${name}-1`, 'first-password'),
          '--new-password-file',
          file(place, `${name}-2`, 'second-password'),
        ],
        isDone: () => signsIn(place, name, 'second-password'),
      }
    },
  },
  {
    command: 'customers password-token create',
    untold: true,
    prepare: async (name, place) => {
      await made(place, name, withPassword)
      return {
        argv: ['customers', 'password-token', 'create', `key=${name}`, '--json'],
        isDone: (ended) =>
          opens(place.client.call(operations.getCustomerByPasswordToken, {passwordToken: tokenOf(ended)})),
      }
    },
  },
  {
    command: 'customers password-token use',
    prepare: async (name, place) => {
      await made(place, name, withPassword)
      const token = file(place, `${name}.token`, await passwordToken(place, name))
      return {
        argv: [
          'customers',
          'password-token',
          'use',
          '--token-file',
          token,
          '--new-password-file',
          file(place, name, 'second-password'),
        ],
        isDone: () => signsIn(place, name, 'second-password'),
      }
    },
  },
  {
    command: 'customers email-token create',
    untold: true,
    prepare: async (name, place) => {
      await made(place, name)
      return {
        argv: ['customers', 'email-token', 'create', `key=${name}`, '--json'],
        isDone: (ended) => opens(place.client.call(operations.getCustomerByEmailToken, {emailToken: tokenOf(ended)})),
      }
    },
  },
  {
    command: 'customers email-token use',
    prepare: async (name, place) => {
      const customer = await made(place, name)
      const {id, version} = customer
      const {value} = await place.client.call(operations.createEmailToken, {}, {body: {id, version, ttlMinutes: 60}})
      return {
        argv: ['customers', 'email-token', 'use', '--token-file', file(place, `${name}.token`, value)],
        isDone: async () => (await now(place, customer)).isEmailVerified,
      }
    },
  },
  {
    command: 'customers sign-in',
    changesNothing: true,
    isRepeatedElsewhere: true,
    prepare: async (name, place) => {
      await made(place, name, withPassword)
      return {
        argv: ['customers', 'sign-in', `${name}@example.com`, '--password-file', file(place, name, 'first-password')],
        // It changes nothing: done is what it says.
        isDone: async ({stdout}) => stdout.includes(name),
      }
    },
  },
  {
    command: 'customers import',
    isRepeatedElsewhere: true,
    prepare: async (name, place) => {
      const rowsOf = [1, 2, 3].map((at) =>
        JSON.stringify({...draft(`${name}-${at}`), authenticationMode: 'ExternalAuth'}),
      )
      return {
        argv: ['customers', 'import', file(place, `${name}.jsonl`, rowsOf.join('\n')), '--json'],
        nth: 2,
        isDone: async ({json}) => {
          const there = await Promise.all([1, 2, 3].map((at) => isThere(place, `${name}-${at}`)))
          expect(json).to.include({created: there.filter(Boolean).length})
          return there.every(Boolean)
        },
      }
    },
  },
  {
    command: 'quotes accept',
    prepare: (name, place) => quoteRow(name, place, ['quotes', 'accept'], ({quoteState}) => quoteState === 'Accepted'),
  },
  {
    command: 'quotes decline',
    prepare: (name, place) => quoteRow(name, place, ['quotes', 'decline'], ({quoteState}) => quoteState === 'Declined'),
  },
  {
    command: 'quotes renegotiate',
    prepare: (name, place) =>
      quoteRow(
        name,
        place,
        ['quotes', 'renegotiate', '--comment', 'Less.'],
        ({buyerComment}) => buyerComment === 'Less.',
      ),
  },
  {
    command: 'quotes update',
    prepare: (name, place) =>
      quoteRow(
        name,
        place,
        [
          'quotes',
          'update',
          '--action',
          '{"action":"setCustomType","type":{"typeId":"type","key":"negotiation"},"fields":{"reason":"New studio"}}',
        ],
        ({version}) => version > 1,
      ),
  },
  {
    command: 'token revoke',
    isRepeatedElsewhere: true,
    prepare: async (name, place) => {
      const issued = (await place.client.form(operations.requestToken, {grant_type: 'client_credentials'})) as {
        readonly access_token: string
      }
      return {
        argv: ['token', 'revoke', '--token-file', file(place, name, issued.access_token)],
        isDone: async () => {
          const answer = (await place.client.form(operations.introspectToken, {token: issued.access_token})) as {
            readonly active: boolean
          }
          return !answer.active
        },
      }
    },
  },
  {
    command: 'api',
    what: 'POST of a draft',
    prepare: async (name, place) => ({
      argv: [
        'api',
        'POST',
        'customers',
        '--body',
        JSON.stringify({...draft(name), authenticationMode: 'ExternalAuth'}),
      ],
      isDone: () => isThere(place, name),
    }),
  },
  {
    command: 'api',
    what: 'POST of actions',
    prepare: async (name, place) => {
      const customer = await made(place, name)
      const body = {version: 1, actions: [{action: 'setTitle', title: 'Countess'}]}
      return {
        argv: ['api', 'POST', `customers/key=${name}`, '--body', JSON.stringify(body)],
        isDone: async () => (await now(place, customer)).title === 'Countess',
      }
    },
  },
  {
    command: 'api',
    what: 'POST of something else',
    untold: true,
    prepare: async (name, place) => {
      await made(place, name, withPassword)
      return {
        argv: [
          'api',
          'POST',
          'customers/email-token',
          '--body',
          JSON.stringify({id: (await now(place, await keyed(place, name))).id, ttlMinutes: 5}),
        ],
        isDone: (ended) => opens(place.client.call(operations.getCustomerByEmailToken, {emailToken: tokenOf(ended)})),
      }
    },
  },
  {
    command: 'api',
    what: 'DELETE',
    prepare: async (name, place) => {
      await made(place, name)
      return {
        argv: ['api', 'DELETE', `customers/key=${name}?version=1`, '--yes'],
        isDone: async () => !(await isThere(place, name)),
      }
    },
  },
  ...[1, 3, 4, 6].map(
    (nth): Row => ({
      command: 'check smoke',
      what: `write ${nth}`,
      nth,
      ...(nth === 3 ? {untold: true as const} : {}),
      prepare: async (_, place) => ({
        argv: ['check', 'smoke'],
        isDone: async ({stdout}, target) => {
          const isLeft = await isThere(place, String(target).replace('key=', ''))
          return !isLeft && stdout.includes('7 passed, 0 failed')
        },
      }),
    }),
  ),
]

const keyed = ({client}: Place, key: string): Promise<Customer> => client.call(operations.getCustomerByKey, {key})

/** Commands that write and have no row, and why. */
export const without: ReadonlyMap<string, string> = new Map([
  ['server reset', 'removes files of this machine'],
  ['server seed', 'goes to the state itself, or to the administration of the server that holds it'],
  ['server snapshot restore', 'moves files of this machine'],
  ['customers copy', 'is the import of an export; its engine has tests of its own'],
  ['jobs retry', 'is the import of a report'],
])

export const connected = (apiUrl: string, clientId: string, secret: string): Promise<Client> =>
  connect({
    kind: 'remote',
    projectKey: 'demo',
    apiUrl,
    authUrl: apiUrl,
    credentials: {kind: 'client', clientId, secret: () => Promise.resolve(secret)},
  })
