import {createHash} from 'node:crypto'
import {readdirSync, statSync} from 'node:fs'
import {join} from 'node:path'
import {createPrivate, privateFolder, readPrivate, removeQuietly} from '../../files/private-file.js'

/**
 * Names of protected profiles that a person has typed at a terminal, so that one call does not ask for the name at every
 * write. A file holds for the shell that it was typed in, for the target that was meant, and for ten minutes.
 */

export const heldMs = 10 * 60_000

/** What was confirmed: the profile, and where it leads. */
export interface Confirmed {
  readonly profile: string
  readonly place: string
  readonly projectKey: string
}

export class Confirmations {
  readonly #folder: string
  readonly #shell: string

  /** `shell` identifies the process that the commands are started from, see `shellIdentity`. */
  constructor(folder: string, shell: string) {
    this.#folder = folder
    this.#shell = shell
  }

  /** How many milliseconds ago it was confirmed; undefined if it was not, or too long ago. */
  age(confirmed: Confirmed, now: number): number | undefined {
    const time = Number(readPrivate(this.#path(confirmed)) ?? Number.NaN)
    const age = now - time
    return age >= 0 && age < heldMs ? age : undefined
  }

  remember(confirmed: Confirmed, now: number): void {
    privateFolder(this.#folder)
    for (const name of readdirSync(this.#folder)) {
      const path = join(this.#folder, name)
      const written = statSync(path, {throwIfNoEntry: false})?.mtimeMs ?? 0
      if (now - written > heldMs) removeQuietly(path)
    }
    const path = this.#path(confirmed)
    removeQuietly(path)
    createPrivate(path, String(now), {durable: false})
  }

  #path(confirmed: Confirmed): string {
    const {profile, place, projectKey} = confirmed
    const name = createHash('sha256').update(JSON.stringify([this.#shell, profile, place, projectKey]))
    return join(this.#folder, name.digest('hex'))
  }
}
