import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {operations} from '../../../src/index.js'
import {draft, file, isThere, keyed, made, now, type Row} from './place.js'

/** What writes whole customers. */

export const customerRows: readonly Row[] = [
  {
    command: 'customers create',
    what: 'with a generated password',
    meetsAll: true,
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
      isTaken: true,
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
    meetsAll: true,
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
    meetsAll: true,
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
    command: 'customers import',
    meetsAll: true,
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
]
