import {randomBytes} from 'node:crypto'
import {readdirSync, readFileSync, statSync} from 'node:fs'
import {join, relative} from 'node:path'

/** Secrets that nobody else has: wherever one turns up, it was brought there. */

/** What a text holds in base64 wherever it begins in the whole: the same at three alignments, without the edges. */
function base64Cores(text: string): string[] {
  return [0, 1, 2].map((offset) => {
    const encoded = Buffer.from(`${'x'.repeat(offset)}${text}`)
      .toString('base64')
      .replace(/=+$/, '')
    return encoded.slice(offset === 0 ? 0 : 4, -2)
  })
}

const formsOf = (secret: string): string[] => {
  const cores = base64Cores(secret)
  return [secret, ...cores, ...cores.map((core) => core.replaceAll('+', '-').replaceAll('/', '_'))]
}

export class Canaries {
  readonly #forms = new Map<string, readonly string[]>()

  /** A new secret. Only letters and digits of it are looked for, so that no encoding hides it. */
  make(name: string): string {
    const core = randomBytes(12).toString('hex')
    this.#forms.set(name, formsOf(core))
    return `Canary+/"${core}`
  }

  /** A secret that the program made. */
  note(name: string, secret: string): string {
    this.#forms.set(name, formsOf(secret))
    return secret
  }

  /** Names of the secrets that a text holds, in any form. */
  in(text: string): string[] {
    return [...this.#forms].filter(([, forms]) => forms.some((form) => text.includes(form))).map(([name]) => name)
  }
}

export interface FoundFile {
  /** Below the folder searched. */
  readonly path: string
  readonly canary: string
  readonly mode: number
}

/** Every file below a folder that holds a canary; what `skip` names is not looked at. */
export function filesWith(canaries: Canaries, folder: string, skip: (path: string) => boolean): FoundFile[] {
  return readdirSync(folder, {recursive: true, encoding: 'utf8'}).flatMap((name) => {
    const path = join(folder, name)
    if (skip(name) || !statSync(path, {throwIfNoEntry: false})?.isFile()) return []
    const {mode} = statSync(path)
    const inName = canaries.in(name)
    return [...new Set([...inName, ...canaries.in(readFileSync(path, 'latin1'))])].map((canary) => ({
      path: relative(folder, path),
      canary,
      mode: mode & 0o777,
    }))
  })
}
