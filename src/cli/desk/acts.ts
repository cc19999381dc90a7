import type {Customer} from '../../domain/customers/customer.js'
import {type Calls, customerReads} from '../command/operations.js'
import {type Act, type Answers, type Opened, optional, text, update, updates} from './act.js'
import {addressAct} from './address-act.js'

/** Everything that can be done for a customer at the desk, in the order of the menu: one command each. */

const noPassword = ({authenticationMode}: Customer): string | undefined =>
  authenticationMode === 'Password' ? undefined : 'This customer signs in elsewhere and has no password here.'

/** A stranger may have changed the email before asking for a way in. */
const warning = ({emailChanged}: Opened): string =>
  emailChanged === undefined ? '' : ` The email was changed ${emailChanged}: is this the customer?`

const sending =
  (what: string) =>
  (opened: Opened): string | undefined =>
    opened.emailChanged === undefined ? undefined : `Make a ${what} for ${opened.name}?${warning(opened)}`

const resetLink: Act = {
  key: 'r',
  label: 'reset link',
  about: 'make a one-time token with which the customer sets a new password',
  command: 'customers reset-password',
  calls: [...customerReads, 'createPasswordToken'],
  writes: true,
  confirms: sending('reset link'),
  words: (ref) => ['customers', 'reset-password', ref],
  unfit: noPassword,
  showsSecret: true,
}

const newPassword: Act = {
  key: 'p',
  label: 'new password',
  about: 'set a generated password at once and show it',
  command: 'customers reset-password',
  calls: [...customerReads, 'createPasswordToken', 'getCustomerByPasswordToken', 'resetCustomerPassword'],
  writes: true,
  confirms: (opened) => `Set a new password for ${opened.name}? The old one and every session end.${warning(opened)}`,
  words: (ref) => ['customers', 'reset-password', ref, '--set', '--generate-password'],
  unfit: noPassword,
  showsSecret: true,
}

const isVerified = ({isEmailVerified}: Customer): string | undefined =>
  isEmailVerified ? 'The email address is verified already.' : undefined

const verifyEmail: Act = {
  key: 'v',
  label: 'verify email',
  about: 'mark the email address as verified',
  command: 'customers verify-email',
  calls: [...customerReads, 'createEmailToken', 'confirmEmail'],
  writes: true,
  confirms: ({name}) => `Mark the address as verified, for ${name}? This cannot be taken back.`,
  words: (ref) => ['customers', 'verify-email', ref],
  unfit: isVerified,
}

const verificationLink: Act = {
  key: 'l',
  label: 'verify link',
  about: 'make a one-time token with which the customer verifies the email address',
  command: 'customers verify-email',
  calls: [...customerReads, 'createEmailToken'],
  writes: true,
  confirms: sending('verification link'),
  words: (ref) => ['customers', 'verify-email', ref, '--send-only'],
  unfit: isVerified,
  showsSecret: true,
}

const changeEmail: Act = {
  key: 'e',
  label: 'change email',
  about: 'change the email address, which then is not verified',
  command: 'customers update',
  calls: updates,
  writes: true,
  asks: [
    text('email', 'New email address:', {
      initial: ({email}) => email,
      refuse: (answer, {customer}) => {
        if (answer.trim() === customer.email) return 'This is the address that the customer has.'
        return /^[^\s@]+@[^\s@]+$/.test(answer.trim()) ? undefined : 'An email address looks like name@example.com.'
      },
    }),
  ],
  confirms: ({name}, {email = ''}) => `Change the email: ${name} → ${email.trim()}?`,
  words: update((_, answers) => ['--set', `email=${answers['email']?.trim()}`]),
}

/** `--set` for what was typed, `--unset` for what was emptied, nothing for what stayed. */
const assignments = (customer: Customer, answers: Answers, names: readonly (keyof Customer & string)[]) =>
  names.flatMap((name) => {
    const value = (answers[name] ?? '').trim()
    if (value === (customer[name] ?? '')) return []
    return value === '' ? ['--unset', name] : ['--set', `${name}=${value}`]
  })

const changeName: Act = {
  key: 'n',
  label: 'name',
  about: 'change title, first and last name',
  command: 'customers update',
  calls: updates,
  writes: true,
  asks: [
    optional('title', 'Title (- for none):', {initial: ({title}) => title}),
    optional('firstName', 'First name (- for none):', {initial: ({firstName}) => firstName}),
    optional('lastName', 'Last name (- for none):', {initial: ({lastName}) => lastName}),
  ],
  words: update((customer, answers) => assignments(customer, answers, ['title', 'firstName', 'lastName'])),
}

const changeField: Act = {
  key: 'f',
  label: 'other field',
  about: 'set any field, such as companyName, dateOfBirth, locale or custom.NAME',
  command: 'customers update',
  calls: updates,
  writes: true,
  asks: [
    text('assignment', 'Field and value:', {
      above: () => 'Write them as companyName=Acme; with nothing after =, the field is emptied.',
      refuse: (answer) => (/^[^=]+=/.test(answer) ? undefined : 'Write FIELD=VALUE.'),
    }),
  ],
  words: update((_, {assignment = ''}) => {
    const [, field = '', value = ''] = /^([^=]+)=(.*)$/s.exec(assignment.trim()) ?? []
    return value === '' ? ['--unset', field.replace(/:$/, '')] : ['--set', `${field}=${value}`]
  }),
}

const membership = (key: string, label: string, kind: 'group' | 'store'): Act => ({
  key,
  label,
  about: `add the customer to a ${kind}, or take it out`,
  command: 'customers update',
  calls: updates,
  writes: true,
  asks: [
    text(kind, `Key of a ${kind} to add, or -KEY to take it out:`, {
      refuse: (answer) =>
        /^-?\s*[\w-]{2,}$/.test(answer.trim()) ? undefined : `A key is letters, digits, - and _: vip, or -vip.`,
    }),
  ],
  words: update((_, answers) => {
    const typed = (answers[kind] ?? '').trim()
    return typed.startsWith('-') ? [`--remove-${kind}`, typed.slice(1).trim()] : [`--add-${kind}`, typed]
  }),
})

const quotes: Act = {
  key: 'q',
  label: 'quotes',
  about: 'the quotes of this customer',
  command: 'quotes query',
  calls: ['queryMyQuotes'],
  writes: false,
  words: (ref) => ['quotes', 'query', '--as', ref],
  unfit: (_, {isEmbedded}) =>
    isEmbedded
      ? undefined
      : 'Quotes belong to the customer: elsewhere they need a session, `token issue --flow password`.',
  actsAsCustomer: true,
}

const history: Act = {
  key: 'h',
  label: 'history',
  about: 'what happened to this customer, with the values before and after',
  command: 'customers history',
  calls: [...customerReads, 'queryMessages'],
  writes: false,
  words: (ref) => ['customers', 'history', ref, '--limit', '15'],
}

const undo: Act = {
  key: 'u',
  label: 'undo last',
  about: 'take back the last change that this tool made to the customer',
  command: 'customers undo',
  calls: updates,
  writes: true,
  words: (ref) => ['customers', 'undo', ref],
}

const signOut: Act = {
  key: 'o',
  label: 'sign out',
  about: 'end every session of the customer; the password stays',
  command: 'customers sign-out',
  calls: [...customerReads, 'endCustomerSessions'],
  writes: true,
  confirms: ({name}) => `End every session of ${name}?`,
  words: (ref) => ['customers', 'sign-out', ref],
}

const erase: Act = {
  key: 'x',
  label: 'erase',
  about: 'delete the account, erase its personal data everywhere, and write a receipt',
  command: 'customers delete',
  calls: [...customerReads, 'deleteCustomerById', 'customerExistsById', 'getCustomerSessions'],
  writes: true,
  asks: [
    text('sure', 'Type ERASE:', {
      above: ({name}) => `Erase ${name} and the personal data of this account everywhere? This cannot be undone.`,
      refuse: (answer) => (answer.trim() === 'ERASE' ? undefined : 'Type ERASE in capitals, or Ctrl-C to go back.'),
      isSafetyWord: true,
    }),
    optional('receipt', 'File for the receipt (- for none):', {initial: ({id}) => `erasure-${id.slice(0, 8)}.json`}),
  ],
  words: (ref, {version}, {receipt = ''}) => [
    ...['customers', 'delete', ref, '--erase-personal-data'],
    ...(receipt.trim() === '' ? [] : ['--receipt', receipt.trim()]),
    ...['--version', `${version}`, '--yes'],
  ],
  removes: true,
}

export const acts: readonly Act[] = [
  resetLink,
  newPassword,
  verifyEmail,
  verificationLink,
  changeEmail,
  changeName,
  addressAct,
  changeField,
  membership('g', 'groups', 'group'),
  membership('s', 'stores', 'store'),
  undo,
  quotes,
  history,
  signOut,
  erase,
]

/** Keys of the menu that run no command. */
export const steering = [
  {key: 't', label: 'ticket', about: 'note another ticket and reason for this call'},
  {key: '/', label: 'next', about: 'the next customer'},
  {key: '.', label: 'quit', about: 'end the session'},
] as const

/** Every operation that the desk may call. */
export const deskCalls: Calls = [
  ...new Set([
    ...customerReads,
    'searchCustomers' as const,
    'getCustomerSessions' as const,
    'queryMessages' as const,
    ...acts.flatMap(({calls}) => calls),
  ]),
]
