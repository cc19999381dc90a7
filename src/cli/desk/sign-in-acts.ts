import type {Customer} from '../../domain/customers/customer.js'
import type {Act, Opened} from './act.js'

const noPassword = ({authenticationMode}: Customer): string | undefined =>
  authenticationMode === 'Password' ? undefined : 'This customer signs in elsewhere and has no password here.'

const sending =
  (what: string) =>
  ({name, emailWarning}: Opened): string | undefined =>
    emailWarning === undefined ? undefined : `Make a ${what} for ${name}? ${emailWarning}`

export const resetLink: Act = {
  key: 'r',
  label: 'reset link',
  about: 'make a one-time token with which the customer sets a new password',
  command: 'customers reset-password',
  confirms: sending('reset link'),
  words: (ref) => ['customers', 'reset-password', ref],
  unfit: noPassword,
  showsSecret: true,
}

export const endLinks: Act = {
  key: 'w',
  label: 'end links',
  about:
    'end every open reset link, such as one sent to the wrong person; the token that replaces them ends in a minute',
  command: 'customers password-token create',
  confirms: ({name}) => `End every open reset link of ${name}?`,
  words: (ref) => ['customers', 'password-token', 'create', ref, '--invalidate-older', '--ttl', '1m'],
  says: ({name}) => `Every reset link of ${name} has ended.`,
  unfit: noPassword,
}

export const newPassword: Act = {
  key: 'p',
  label: 'new password',
  about: 'set a generated password at once and show it',
  command: 'customers reset-password',
  confirms: ({name, emailWarning}) =>
    [
      `Set a new password for ${name}? The old password stops working, and the customer is signed out everywhere.`,
      emailWarning,
    ]
      .filter(Boolean)
      .join(' '),
  words: (ref) => ['customers', 'reset-password', ref, '--set', '--generate-password'],
  unfit: noPassword,
  showsSecret: true,
}

const isVerified = ({isEmailVerified}: Customer): string | undefined =>
  isEmailVerified ? 'The email address is verified already.' : undefined

export const verifyEmail: Act = {
  key: 'v',
  label: 'verify email',
  about: 'mark the email address as verified',
  command: 'customers verify-email',
  confirms: ({name}) => `Mark the address as verified, for ${name}? This cannot be undone.`,
  words: (ref) => ['customers', 'verify-email', ref],
  unfit: isVerified,
}

export const verificationLink: Act = {
  key: 'l',
  label: 'verify link',
  about: 'make a one-time token with which the customer verifies the email address',
  command: 'customers verify-email',
  confirms: sending('verification link'),
  words: (ref) => ['customers', 'verify-email', ref, '--send-only'],
  unfit: isVerified,
  showsSecret: true,
}

export const signOut: Act = {
  key: 'o',
  label: 'sign out',
  about: 'end every session of the customer; the password stays',
  command: 'customers sign-out',
  confirms: ({name}) => `End every session of ${name}?`,
  words: (ref) => ['customers', 'sign-out', ref],
}
