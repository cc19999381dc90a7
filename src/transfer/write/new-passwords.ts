import type {Client} from '../../client/client.js'
import {InputError} from '../files/input-error.js'
import {PrivateTable} from '../files/private-table.js'
import type {RowDraft} from '../input/row-draft.js'
import type {Runtime} from '../send/runtime.js'
import type {Sender} from '../send/sender.js'
import type {PlanOptions} from './plan-row.js'
import {ResetLinks} from './reset-links.js'

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
export function checkNewPasswords({passwordMode}: PlanOptions, {passwordFile, resetLinks}: NewPasswordsOptions): void {
  if (passwordMode === 'generate' && passwordFile === undefined) {
    throw new InputError('Generated passwords need a file to go to.', {remedy: 'Add --generated-passwords FILE.'})
  }
  if (passwordMode === 'reset-links' && resetLinks === undefined) {
    throw new InputError('Reset links need a file to go to.', {remedy: 'Add --reset-links FILE.'})
  }
}

/** Opens the file that the password mode needs, if it needs one. `resumed`: it is there already. */
export async function openNewPasswords(
  {passwordMode}: PlanOptions,
  {client, runtime, sender}: {readonly client: Client; readonly runtime: Runtime; readonly sender: Sender},
  {passwordFile, resetLinks}: NewPasswordsOptions,
  resumed: boolean,
): Promise<NewPasswords> {
  if (passwordMode === 'generate' && passwordFile !== undefined) {
    return openPasswordFile(passwordFile, resumed, runtime)
  }
  if (passwordMode === 'reset-links' && resetLinks !== undefined) {
    const {path, ttlMinutes} = resetLinks
    const links = await ResetLinks.open(path, resumed, {client, sender, ttlMinutes})
    return {
      // Nobody keeps it: the customer sets another one with the token.
      newPassword: async () => madeBy(runtime),
      resetLinks: links,
      close: () => links.close(),
    }
  }
  return {
    newPassword: () => Promise.reject(new Error('no row needs a generated password')),
    close: async () => undefined,
  }
}

/** 24 characters. */
const madeBy = (runtime: Runtime): string => runtime.bytes(18).toString('base64url')

/**
 * Where generated passwords go, for the one person who hands them out. A password is in the file before its customer is
 * created, so that no crash leaves a customer whose password nobody knows; of several lines for a customer the last counts.
 */
export async function openPasswordFile(path: string, resumed: boolean, runtime: Runtime): Promise<NewPasswords> {
  const columns = ['key', 'email', 'password']
  const table = await PrivateTable.open(path, {columns, what: 'generated passwords', resumed})
  return {
    newPassword: async ({key, email}) => {
      const password = madeBy(runtime)
      await table.add([key ?? undefined, email ?? undefined, password])
      return password
    },
    close: () => table.close(),
  }
}
