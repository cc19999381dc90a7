import {readdirSync, readFileSync, statSync} from 'node:fs'
import {join} from 'node:path'

/** Where a secret that a person gave may lie: files that only hold secrets, for their owner, and those of a test. */
const mayHold =
  /\/cwd\/(?:fixtures\/|shop\/seed\/|[a-z-]+\.txt$)|\/config\/secrets\/|\/cache\/tokens\/|\.client\.json$|\/(?:secret|old|new|password|token)(?:\.txt)?$/
/** The API's own messages carry the values of one-time tokens, so they are in the state. */
const holdsTokens = /\/data\/[^/_]+\/[^/]+\.(?:jsonl|ndjson)$/
const secretFlag = /^--(?:[a-z]+-)*(password|secret|token)-(stdin|file)$/
const secretVariable = /(?:_SECRET|_TOKEN|PASSWORD)$/
/** Shorter ones stand in other words. */
const shortest = 8

/**
 * Looks on while a test suite runs commands: a secret that went into one must come out of none, neither on its streams nor
 * in any file of its machine. Every test of the command is thus a test of its silence.
 */
export class Witness {
  readonly #secrets = new Set<string>()
  readonly #oneTimeTokens = new Set<string>()
  /** Files in which a test itself put a secret. */
  readonly #given = new Set<string>()

  /** Notes the secrets of a command line, its variables, its stdin and what was typed unseen. */
  heard(
    argv: readonly string[],
    {env = {}, stdin}: {env?: Readonly<Record<string, string>>; stdin?: string | Uint8Array},
  ): void {
    for (const [name, value] of Object.entries(env)) if (secretVariable.test(name)) this.#note(value)
    argv.forEach((word, at) => {
      const [, tokenFile] = /^file:(.+)$/s.exec(argv[at - 1] === '--as' ? word : '') ?? []
      const ofCustomer = this.#file(tokenFile)
      if (ofCustomer) this.#note(ofCustomer)
      const [, kind, source] = secretFlag.exec(word) ?? []
      const secret =
        source === 'stdin' ? stdin?.toString().split('\n', 1)[0] : source === 'file' && this.#file(argv[at + 1])
      if (!secret) return
      this.#note(secret)
      if (kind === 'token') this.#oneTimeTokens.add(secret)
    })
  }

  typed(secret: string): void {
    this.#note(secret)
  }

  #file(path: string | undefined): string | undefined {
    if (path === undefined || statSync(path, {throwIfNoEntry: false})?.isFile() !== true) return undefined
    this.#given.add(path)
    return readFileSync(path, 'utf8').split('\n', 1)[0]
  }

  #note(secret: string): void {
    if (secret.length >= shortest) this.#secrets.add(secret)
  }

  /** Throws if a text holds one of the secrets. */
  check(text: string, where: string, allowed: ReadonlySet<string> = new Set()): void {
    for (const secret of this.#secrets)
      if (text.includes(secret) && !allowed.has(secret)) throw new Error(`a secret stands in ${where}: ${secret}`)
  }

  /** Throws if a file below a folder holds one, but for those that are made for it. */
  search(folder: string): void {
    if (this.#secrets.size === 0) return
    for (const name of readdirSync(folder, {recursive: true, encoding: 'utf8'})) {
      const path = join(folder, name)
      if (!mayHold.test(path) && !this.#given.has(path) && statSync(path).isFile()) {
        this.check(readFileSync(path, 'latin1'), path, holdsTokens.test(path) ? this.#oneTimeTokens : undefined)
      }
    }
  }
}
