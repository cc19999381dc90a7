import {operations} from '../../../src/index.js'
import {file, made, now, opens, passwordToken, type Row, signsIn, tokenOf, withPassword} from './place.js'

/** What writes passwords, tokens and what they verify. */

export const passwordRows: readonly Row[] = [
  {
    command: 'customers reset-password',
    what: 'to a token',
    meetsAll: true,
    untold: true,
    prepare: async (name, place) => {
      await made(place, name, withPassword)
      return {
        argv: ['customers', 'reset-password', `key=${name}`, '--show-secret', '--json'],
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
        argv: ['customers', 'password-token', 'create', `key=${name}`, '--show-secret', '--json'],
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
        argv: ['customers', 'email-token', 'create', `key=${name}`, '--show-secret', '--json'],
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
]
