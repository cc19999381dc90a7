import type {Client} from '../../client/client.js'
import {InputError} from '../files/input-error.js'
import {openPrivateTable} from '../files/private-table.js'
import type {RowDraft} from '../input/row-draft.js'
import type {Runtime} from '../send/runtime.js'
import type {Sender} from '../send/sender.js'
import type {PlanOptions} from './plan-row.js'
import {openResetLinks, type ResetLinks} from './reset-links.js'

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

interface Parts {
  readonly client: Client
  readonly runtime: Runtime
  readonly sender: Sender
}

/**
 * Opens the file that the password mode needs, if it needs one. `resumed`: it is there already. Throws InputError at once
 * for a password mode whose file is missing.
 */
export function newPasswordsOf(
  {passwordMode}: PlanOptions,
  {passwordFile, resetLinks}: NewPasswordsOptions,
): (parts: Parts, resumed: boolean) => Promise<NewPasswords> {
  if (passwordMode === 'generate') {
    if (passwordFile === undefined)
      throw new InputError('Generated passwords need a file to go to.', {remedy: 'Add --generated-passwords FILE.'})
    return ({runtime}, resumed) => openPasswordFile(passwordFile, resumed, runtime)
  }
  if (passwordMode === 'reset-links') {
    if (resetLinks === undefined)
      throw new InputError('Reset links need a file to go to.', {remedy: 'Add --reset-links FILE.'})
    const {path, ttlMinutes} = resetLinks
    return async ({client, runtime, sender}, resumed) => {
      const links = await openResetLinks(path, resumed, {client, sender, ttlMinutes})
      // Nobody keeps the password: the customer sets another one with the token.
      return {newPassword: async () => madeBy(runtime), resetLinks: links, close: links.close}
    }
  }
  const newPassword = () => Promise.reject(new Error('no row needs a generated password'))
  return async () => ({newPassword, close: async () => undefined})
}

/** 24 characters. */
const madeBy = (runtime: Runtime): string => runtime.bytes(18).toString('base64url')

/**
 * Where generated passwords go, for the one person who hands them out. A password is in the file before its customer is
 * created, so that no crash leaves a customer whose password nobody knows; of several lines for a customer the last counts.
 */
export async function openPasswordFile(path: string, resumed: boolean, runtime: Runtime): Promise<NewPasswords> {
  const columns = ['key', 'email', 'password']
  const table = await openPrivateTable(path, {columns, what: 'generated passwords', resumed})
  return {
    newPassword: async ({key, email}) => {
      const password = madeBy(runtime)
      await table.add([key ?? undefined, email ?? undefined, password])
      return password
    },
    close: table.close,
  }
}
