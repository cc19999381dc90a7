import {administer} from '../../../src/client/local/admin.js'
import {operations} from '../../../src/index.js'
import {
  draft,
  file,
  isThere,
  keyed,
  made,
  now,
  opens,
  type Place,
  type Row,
  type Trial,
  tokenOf,
  withPassword,
} from './place.js'

/** What writes quotes and tokens, or whatever it is told to. */

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
    argv: [...argv, `key=${name}`, '--as', `file:${file(place, `${name}.token`, token)}`, '--yes'],
    isDone: async () => holds((await place.client.raw('GET', path)).body as QuoteNow),
  }
}

interface QuoteNow {
  readonly quoteState: string
  readonly buyerComment?: string
  readonly version: number
}

export const otherRows: readonly Row[] = [
  {
    command: 'quotes accept',
    meetsAll: true,
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
    command: 'customers sign-out',
    prepare: async (name, place) => {
      await made(place, name, withPassword)
      const whose = {projectKey: 'demo', customer: {by: 'key', value: name}} as const
      const {access_token: token} = await administer(place.dataDir, 'issueCustomerToken', {body: whose})
      return {
        argv: ['customers', 'sign-out', `key=${name}`],
        isDone: async () => {
          const answer = (await place.client.form(operations.introspectToken, {token})) as {readonly active: boolean}
          return !answer.active
        },
      }
    },
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
    meetsAll: true,
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

/** Commands that write and have no row, and why. */
export const without: ReadonlyMap<string, string> = new Map([
  ['server reset', 'removes files of this machine'],
  ['server seed', 'goes to the state itself, or to the administration of the server that holds it'],
  ['server snapshot restore', 'moves files of this machine'],
  ['server snapshot save', 'copies files of this machine'],
  ['server compact', 'writes files of this machine anew'],
  ['server doctor', 'repairs files of this machine'],
  ['server migrate-store', 'goes on where it was interrupted'],
  ['server clock', 'sets the clock of a server for tests'],
  ['server faults', 'sets the faults of a server for tests'],
  ['customers copy', 'is the import of an export; its engine has tests of its own'],
  ['customers diff', 'prunes by the deletions of `customers delete`, each settled as those are'],
  ['undo', 'sends the actions of a customer as `customers update` does, and settles each row of a job by itself'],
  ['desk', 'writes by the acts of the commands that it prints'],
])
