import type {Client} from '../../client/client.js'
import type {Customer} from '../../domain/customers/customer.js'
import {fieldRows} from '../../domain/customers/fields.js'
import {type Calls, customerReads} from '../command/operations.js'
import {labelOf} from '../customers/preview.js'
import {spokenMoment} from '../output/times.js'
import {historyOf} from '../records/history.js'
import {type Act, assigned, type Option, text, typed, updateAct} from './act.js'
import {addressAct, changeField} from './field-acts.js'
import {membership, quotes} from './listed-acts.js'
import {refuseEmail} from './new-customer.js'
import {endLinks, newPassword, resetLink, signOut, verificationLink, verifyEmail} from './sign-in-acts.js'

/** Members of a customer that are one text each. */
const putBackFields: ReadonlySet<string> = new Set(fieldRows.map(({name}) => name))

/** Former values of the customer, the latest first, numbered. */
async function formerValues(client: Client, customer: Customer, now: number): Promise<readonly Option[]> {
  const {events} = await historyOf({client, customer, id: customer.id, audit: [], now})
  const offered = new Map<string, string>()
  for (const {time, changes = []} of events) {
    for (const {path, before} of changes) {
      const isNow = customer[path as keyof Customer] === before
      if (!putBackFields.has(path) || typeof before !== 'string' || isNow) continue
      const assignment = `${path}=${before}`
      if (!offered.has(assignment))
        offered.set(assignment, `${labelOf(path)} ${before} (until ${spokenMoment(time, now)})`)
    }
  }
  return [...offered].slice(0, 9).map(([value, label], at) => ({key: String(at + 1), label, value}))
}

const putBack = updateAct({
  key: '1',
  label: 'put back',
  about: 'put a value of the history back by its number',
  confirms: ({name, customer}, {assignment = ''}) => {
    const [, path = '', value = ''] = /^([^=]+)=(.*)$/s.exec(assignment) ?? []
    const now = customer[path as keyof Customer]
    return `Put back for ${name}: ${labelOf(path)} ${typeof now === 'string' ? now : '(nothing)'} → ${value}?`
  },
  changes: (_, {assignment = ''}) => ['--set', assignment],
})

/** Everything that can be done for a customer at the desk, in the order of the menu: one command each. */

const changeEmail = updateAct({
  key: 'e',
  label: 'change email',
  about: 'change the email address, which then is not verified',
  asks: [
    text('email', 'New email address:', {
      initial: ({email}) => email,
      refuse: (answer, {customer}) => {
        if (answer.trim() === customer.email) return 'This is the address that the customer has.'
        return refuseEmail(answer)
      },
    }),
  ],
  confirms: ({name}, {email = ''}) => `Change the email: ${name} → ${email.trim()}?`,
  changes: (_, answers) => ['--set', `email=${typed(answers, 'email')}`],
})

const changeName = updateAct({
  key: 'n',
  label: 'name',
  about: 'change title, first and last name',
  asks: [
    {name: 'title', text: 'Title (- for none):', initial: ({title}) => title},
    {name: 'firstName', text: 'First name (- for none):', initial: ({firstName}) => firstName},
    {name: 'lastName', text: 'Last name (- for none):', initial: ({lastName}) => lastName},
  ],
  changes: assigned,
})

const history: Act = {
  key: 'h',
  label: 'history',
  about: 'show what happened to this customer, with the values before and after',
  command: 'customers history',
  reads: true,
  words: (ref) => ['customers', 'history', ref, '--limit', '15'],
  next: {act: putBack, offers: formerValues, title: 'Put a value back by its number:'},
}

const undo: Act = {
  key: 'u',
  label: 'undo last',
  about: 'take back the last change that this tool made to the customer',
  command: 'undo',
  words: (ref) => ['undo', ref],
}

const erase: Act = {
  key: 'x',
  label: 'erase',
  about: 'delete the account, erase its personal data everywhere, and write a receipt',
  command: 'customers delete',
  asks: [
    text('sure', 'Type ERASE:', {
      above: ({name}) => `Erase ${name} and the personal data of this account everywhere? This cannot be undone.`,
      refuse: (answer) => (answer.trim() === 'ERASE' ? undefined : 'Type ERASE in capitals, or Ctrl-C to go back.'),
      isSafetyWord: true,
    }),
    {name: 'receipt', text: 'File for the receipt (- for none):', initial: ({id}) => `erasure-${id.slice(0, 8)}.json`},
  ],
  words: (ref, {version}, {receipt = ''}) => [
    ...['customers', 'delete', ref, '--erase-personal-data'],
    ...(receipt.trim() === '' ? [] : ['--receipt', receipt.trim()]),
    ...['--version', `${version}`, '--yes'],
  ],
  removes: true,
}

const remove: Act = {
  key: 'k',
  label: 'delete',
  about: 'write a duplicate account to a file and delete it; nothing else is erased',
  command: 'customers delete',
  asks: [text('backup', 'File for the backup:', {initial: ({id}) => `customer-${id.slice(0, 8)}.jsonl`})],
  confirms: ({name}, {backup}) =>
    `Delete the account of ${name}? It is written to ${backup} first. Password, messages and quotes do not come back from it.`,
  words: (ref, {version}, {backup = ''}) => [
    ...['customers', 'delete', ref, '--backup', backup.trim()],
    ...['--version', `${version}`, '--yes'],
  ],
  removes: true,
}

const dossier: Act = {
  key: 'd',
  label: 'dossier',
  about: 'collect all data of the customer in one file',
  command: 'customers dossier',
  reads: true,
  asks: [text('file', 'File for the dossier:', {initial: ({id}) => `dossier-${id.slice(0, 8)}.html`})],
  words: (ref, _, {file = ''}) => [
    ...['customers', 'dossier', ref, '--out', file.trim()],
    ...(/\.html?$/i.test(file.trim()) ? [] : ['-o', 'json']),
  ],
}

export const acts: readonly Act[] = [
  resetLink,
  endLinks,
  newPassword,
  verifyEmail,
  verificationLink,
  changeEmail,
  changeName,
  addressAct,
  changeField,
  membership('group'),
  membership('store'),
  undo,
  quotes,
  history,
  dossier,
  signOut,
  remove,
  erase,
]

/** Stands in the menu while something of the customer is hidden. */
export const checkKey = {
  key: 'c',
  label: 'check caller',
  about: 'ask the caller for the fields that the profile lists, and then show them; every action asks first',
} as const

/** Keys of the menu that run no command. */
export const menuKeys = [
  {key: 't', label: 'ticket', about: 'change the ticket and reason of this call'},
  {key: '/', label: 'next', about: 'the next customer'},
  {key: '.', label: 'quit', about: 'end the session'},
  {key: '?', label: 'all keys', about: 'every key, ids and version of the customer, and the last action as a command'},
] as const

/** What stands in the line of keys, as far as it has room: what callers ask for most. */
export const firstActs: readonly Act[] = [
  resetLink,
  newPassword,
  verifyEmail,
  changeEmail,
  history,
  undo,
  addressAct,
  quotes,
]

/** Every operation that the desk and the commands of its acts may call. */
export const deskCalls: Calls = [
  ...customerReads,
  ...(['searchCustomers', 'queryMessages', 'getCustomerSessions', 'endCustomerSessions'] as const),
  ...(['createCustomer', 'updateCustomerById', 'deleteCustomerById', 'customerExistsById'] as const),
  ...(['createPasswordToken', 'resetCustomerPassword', 'createEmailToken', 'confirmEmail'] as const),
  // On a local target with a token of the customer, which needs no scope of the client.
  {operations: ['queryMyQuotes', 'getMyQuoteById', 'getMyQuoteByKey', 'updateMyQuoteById']},
  {operations: [], scopes: ['view_quotes'], when: 'quotes'},
  {operations: [], scopes: ['manage_quotes'], when: 'answers to quotes'},
]
