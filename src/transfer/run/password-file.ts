import {PrivateTable} from '../files/private-table.js'
import type {RowDraft} from '../input/row-draft.js'
import type {Runtime} from '../send/runtime.js'

const columns = ['key', 'email', 'password']

/**
 * Where generated passwords go, for the one person who hands them out. A password is in the file before its customer is
 * created, so that no crash leaves a customer whose password nobody knows; of several lines for a customer the last counts.
 */
export class PasswordFile {
  readonly #table: PrivateTable
  readonly #runtime: Runtime

  private constructor(table: PrivateTable, runtime: Runtime) {
    this.#table = table
    this.#runtime = runtime
  }

  /** Begins the file, or goes on with that of a resumed job. Throws InputError if it exists and is nobody's. */
  static async open(path: string, resumed: boolean, runtime: Runtime): Promise<PasswordFile> {
    const about = {columns, what: 'generated passwords', resumed, cutLine: 'ended'} as const
    return new PasswordFile(await PrivateTable.open(path, about), runtime)
  }

  /** A new password of 24 characters, safe in the file when this returns. */
  async newPassword({key, email}: RowDraft): Promise<string> {
    const password = this.#runtime.bytes(18).toString('base64url')
    await this.#table.add([key ?? undefined, email ?? undefined, password])
    return password
  }

  async close(): Promise<void> {
    await this.#table.close()
  }
}
