import {fieldRows, flagOf} from '../../domain/customers/fields.js'
import {isPersonal} from '../../domain/field.js'
import {isMemberName, isShown} from './impersonal.js'

/**
 * Masks personal data in what one run shows. Documents are masked member by member: what is not known to be impersonal
 * is masked, and custom fields always. Sentences are masked by what this run has seen of people: values of documents
 * that it read, sent or was given. Members that are revealed by name or path are shown.
 */
export class Redaction {
  readonly on: boolean
  readonly #revealed: ReadonlySet<string>
  readonly #seen = new Set<string>()

  constructor(on: boolean, revealed: readonly string[] = []) {
    this.on = on
    this.#revealed = new Set(revealed)
  }

  /** A copy of a document as it may be shown. */
  document(value: unknown): unknown {
    return this.on ? this.#value(value, []) : value
  }

  /** Learns what is personal in a document that is not itself shown. */
  learn(value: unknown): void {
    if (this.on) this.#value(value, [])
  }

  /** Learns the values of a command line: `email=…`, `--first-name …`, addresses of people. */
  learnArguments(argv: readonly string[]): void {
    if (!this.on) return
    for (const [at, argument] of argv.entries()) {
      const [, name, value] = /^(?:--|.*\/)?([\w.-]+):?=(.+)$/s.exec(argument) ?? []
      if (name !== undefined && value !== undefined) this.#remember(value, this.#isHidden(name.split('.')))
      else if (argument.includes('@')) this.#remember(argument, true)
      const flag = argv[at - 1]
      if (flag !== undefined && personFlags.has(flag)) this.#remember(argument, true)
    }
  }

  /** A sentence without the people in it. */
  readonly text = (text: string): string => {
    if (!this.on) return text
    return text.replace(words, (word) => (this.#isPersonal(word) ? String(masked(word)) : word))
  }

  /** A note to the person at the terminal, which may quote what nobody has seen yet, such as a cell of a file. */
  note(text: string): string {
    return this.on ? this.#quoted(this.text(text)) : text
  }

  /** An error as it may be shown: the values it repeats are masked, wherever it repeats them. */
  error<E extends {readonly message: string; readonly hints: readonly string[]; readonly details: readonly unknown[]}>(
    report: E,
  ): E {
    if (!this.on) return report
    const details = this.#value(report.details, ['details']) as readonly unknown[]
    return {
      ...report,
      message: this.#quoted(this.text(report.message)),
      hints: report.hints.map((hint) => this.text(hint)),
      details: details.map((entry, at) => this.#withMessage(entry, report.details[at])),
    }
  }

  #withMessage(entry: unknown, original: unknown): unknown {
    const message: unknown =
      typeof original === 'object' && original !== null ? Reflect.get(original, 'message') : undefined
    if (typeof message !== 'string') return entry
    return {...(entry as object), message: this.#quoted(this.text(message))}
  }

  /** Errors quote values: what is no name of the API and no id is masked. */
  #quoted(text: string): string {
    return text.replace(/'([^']+)'/g, (quote, inner: string) =>
      isMemberName(inner) || madeByService.test(inner) ? quote : `'${String(masked(inner))}'`,
    )
  }

  #isPersonal(word: string): boolean {
    const bare = bareWord(word)
    return this.#seen.has(bare) || (/.@./.test(bare) && !this.#revealed.has('email'))
  }

  #isHidden(path: readonly string[]): boolean {
    return !isShown(path.at(-1) ?? '') && !this.#isRevealed(path)
  }

  #isRevealed(path: readonly string[]): boolean {
    if (this.#revealed.size === 0) return false
    const named = path.filter((step) => !/^\d+$/.test(step))
    return [path.at(-1), path.join('.'), named.join('.')].some((name) => name !== undefined && this.#revealed.has(name))
  }

  #value(value: unknown, path: readonly string[]): unknown {
    if (Array.isArray(value)) return value.map((entry: unknown, at) => this.#value(entry, [...path, `${at}`]))
    if (typeof value === 'object' && value !== null) return this.#object(value, path)
    const name = path.findLast((step) => !/^\d+$/.test(step))
    if (name === undefined || isShown(name)) return value
    if (typeof value === 'string' && sentences.has(name)) return this.text(value)
    return typeof value === 'string' && madeByService.test(value) ? value : this.#mask(value)
  }

  #object(object: object, path: readonly string[]): object {
    if (isDifference(object)) return this.#difference(object)
    const known = projectThing(object)
    return Object.fromEntries(
      Object.entries(object).map(([name, value]: [string, unknown]) => {
        const inner = [...path, name]
        if (known.has(name) || this.#isRevealed(inner)) return [name, value]
        return [name, name === 'custom' ? this.#custom(value, inner) : this.#value(value, inner)]
      }),
    )
  }

  /** Whatever a project keeps in custom fields, nobody declared it impersonal. */
  #custom(value: unknown, path: readonly string[]): unknown {
    if (typeof value !== 'object' || value === null) return this.#mask(value)
    return Object.fromEntries(
      Object.entries(value).map(([name, member]: [string, unknown]) => [
        name,
        name === 'type' ? this.#value(member, [...path, name]) : this.#everything(member, [...path, name]),
      ]),
    )
  }

  #everything(value: unknown, path: readonly string[]): unknown {
    if (path.length > 0 && this.#isRevealed(path)) return value
    if (Array.isArray(value)) return value.map((entry: unknown) => this.#everything(entry, []))
    if (typeof value !== 'object' || value === null) return this.#mask(value)
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, this.#everything(member, [...path, name])]),
    )
  }

  /** A leaf that differs stands for the member that its path names. */
  #difference({path, before, after, ...rest}: Difference): object {
    const steps = path.split('.')
    const show = (value: unknown): unknown => {
      if (this.#isRevealed(steps)) return value
      return steps.includes('custom') && !path.includes('custom.type.') ? this.#mask(value) : this.#value(value, steps)
    }
    return {
      ...rest,
      path,
      ...(before === undefined ? {} : {before: show(before)}),
      ...(after === undefined ? {} : {after: show(after)}),
    }
  }

  #mask(value: unknown): unknown {
    this.#remember(typeof value === 'string' ? value : JSON.stringify(value), true)
    return masked(value)
  }

  #remember(text: string | undefined, isPersonal: boolean): void {
    if (!isPersonal || text === undefined || madeByService.test(text)) return
    const all = [...text.matchAll(words)].map(([word]) => word)
    for (const word of all.filter((one) => all.length === 1 || isTelling(one))) {
      const bare = bareWord(word)
      // Single letters and small numbers are in every sentence, and tell nobody apart.
      if (bare.length < 2 || /^\d{1,4}$/.test(bare) || isMemberName(bare)) continue
      if (this.#seen.size < maxSeen) this.#seen.add(bare)
    }
  }
}

const maxSeen = 200_000

/** Members that hold sentences of this command. */
const sentences: ReadonlySet<string> = new Set(['next', 'message', 'hints'])

/** Ids, which say nothing by themselves. */
const madeByService = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const words = /[^\s"'“”‘’,;:()<>[\]{}|→=/\\]+/gu

/** Of several words, those that are no words of the language: longer names, and whatever holds more than letters. */
const isTelling = (word: string): boolean => word.length > 3 && !/^[a-z]+[.!?…]*$/.test(word)
/** A word to compare: in one case, but for words so short that `Ms` and `ms` are two. */
function bareWord(word: string): string {
  const bare = word.replace(/[.!?…]+$/u, '')
  return bare.length > 3 ? bare.toLowerCase() : bare
}

/** Flags whose value is a person's, or a word about one. */
const personFlags: ReadonlySet<string> = new Set([
  ...fieldRows.filter(({personal}) => isPersonal(personal)).map((field) => `--${flagOf(field)}`),
  ...['--reason', '--comment', '--add-address', '--remove-address'],
])

interface Difference {
  readonly path: string
  readonly before?: unknown
  readonly after?: unknown
}

const isDifference = (object: object): object is Difference =>
  'path' in object && typeof object.path === 'string' && ('before' in object || 'after' in object)

const nothing: ReadonlySet<string> = new Set()

/** What a project set up for everybody: their keys and names are nobody's. */
const projectKinds: ReadonlySet<string> = new Set([
  'store',
  'customer-group',
  'type',
  'channel',
  'state',
  'tax-category',
])
const projectMembers: ReadonlySet<string> = new Set(['typeId', 'id', 'key', 'obj'])

/** Members of a reference that are shown because it names no person. */
function projectThing(object: object): ReadonlySet<string> {
  const kind: unknown = Reflect.get(object, 'typeId')
  return typeof kind === 'string' && projectKinds.has(kind) ? projectMembers : nothing
}

/** `ada@example.com` as `a***@e***.com`; other text as its first character. A value that is not text is hidden completely. */
function masked(value: unknown): unknown {
  if (value === null || value === undefined) return value
  if (typeof value !== 'string') return '***'
  const [, first, host, end] = /^(.).*@(.).*?(\.[^.]+)?$/su.exec(value) ?? []
  if (first !== undefined) return `${first}***@${host}***${end ?? ''}`
  return value === '' ? '' : `${[...value][0]}***`
}
