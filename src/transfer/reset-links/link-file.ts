import {PrivateTable} from '../files/private-table.js'
import {InputError} from '../input/input-error.js'

const columns = ['email', 'key', 'token', 'expiresAt', 'customerId'] as const

/** A customer who can set a password with a token. */
export interface ResetLink {
  readonly email: string | undefined
  readonly key: string | undefined
  readonly token: string
  readonly expiresAt: string
  readonly customerId: string
}

/** The tokens for the mailing, in a file for its owner only: one line a customer, safe on disk when `add` returns. */
export class LinkFile {
  readonly #table: PrivateTable
  /** Customers with a line, by id. */
  readonly #customers = new Set<string>()

  private constructor(table: PrivateTable) {
    this.#table = table
  }

  /** Begins the file, or goes on with that of a resumed job. Throws InputError if it exists and is nobody's. */
  static async open(path: string, resumed: boolean): Promise<LinkFile> {
    if (path === '-') throw new InputError('Reset links go to a file, not to the output.', {remedy: 'Name a new file.'})
    // Nobody was told of the token in a cut line: another is made.
    const about = {columns, what: 'reset links', resumed, cutLine: 'dropped'} as const
    const links = new LinkFile(await PrivateTable.open(path, about))
    for await (const line of links.#table.lines()) links.#customers.add(line.slice(line.lastIndexOf(',') + 1))
    return links
  }

  has(customerId: string): boolean {
    return this.#customers.has(customerId)
  }

  async add(link: ResetLink): Promise<void> {
    await this.#table.add(columns.map((column) => link[column]))
    this.#customers.add(link.customerId)
  }

  async close(): Promise<void> {
    await this.#table.close()
  }
}
