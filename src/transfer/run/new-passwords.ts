import type {Client} from '../../client/client.js'
import {InputError} from '../input/input-error.js'
import type {RowDraft} from '../input/row-draft.js'
import {LinkFile} from '../reset-links/link-file.js'
import {ResetLinks} from '../reset-links/reset-links.js'
import type {Bulk} from './bulk.js'
import {PasswordFile} from './password-file.js'

export interface NewPasswordsOptions {
  /** Where generated passwords go; required with the password mode `generate`. */
  readonly passwordFile?: string
  /**
   * Where the tokens go with which customers set their passwords, and how long these are valid; required with the
   * password mode `reset-links`.
   */
  readonly resetLinks?: {readonly path: string; readonly ttlMinutes: number}
}

/** The passwords of customers whose rows bring none, and what is kept of them. */
export interface NewPasswords {
  newPassword(draft: RowDraft): Promise<string>
  readonly resetLinks?: ResetLinks
  close(): Promise<void>
}

/** Throws InputError for a password mode whose file is missing. */
export function checkNewPasswords({plan}: Bulk, {passwordFile, resetLinks}: NewPasswordsOptions): void {
  if (plan.passwordMode === 'generate' && passwordFile === undefined) {
    throw new InputError('Generated passwords need a file to go to.', {remedy: 'Add --generated-passwords FILE.'})
  }
  if (plan.passwordMode === 'reset-links' && resetLinks === undefined) {
    throw new InputError('Reset links need a file to go to.', {remedy: 'Add --reset-links FILE.'})
  }
}

/** Opens the file that the password mode needs, if it needs one. `resumed`: it is there already. */
export async function openNewPasswords(
  client: Client,
  {plan, runtime, sender}: Bulk,
  {passwordFile, resetLinks}: NewPasswordsOptions,
  resumed: boolean,
): Promise<NewPasswords> {
  if (plan.passwordMode === 'generate' && passwordFile !== undefined) {
    return PasswordFile.open(passwordFile, resumed, runtime)
  }
  if (plan.passwordMode === 'reset-links' && resetLinks !== undefined) {
    const file = await LinkFile.open(resetLinks.path, resumed)
    return {
      // Nobody keeps it: the customer sets another one with the token.
      newPassword: async () => runtime.bytes(18).toString('base64url'),
      resetLinks: new ResetLinks({client, sender, file, ttlMinutes: resetLinks.ttlMinutes}),
      close: () => file.close(),
    }
  }
  return {
    newPassword: () => Promise.reject(new Error('no row needs a generated password')),
    close: async () => undefined,
  }
}
