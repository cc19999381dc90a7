import {defined} from '../../domain/equal.js'
import type {Issue, Place} from '../input/row.js'

/** Why rows failed, or will fail: one entry for all rows that fail alike. */
export interface Cause {
  /** In a plan: whether the rows cannot be used anywhere, or the target would refuse them. */
  readonly kind?: CauseKind
  readonly code: string
  /** The source's own name for the value, if the rows were refused before anything was sent. */
  readonly column?: string
  /** One sentence. What differs from row to row is left out of it if there are too many forms of it. */
  readonly message: string
  /** A whole message, where `message` leaves something out. */
  readonly example?: string
  readonly rows: number
  readonly first: readonly Place[]
  readonly fix?: string
}

export type CauseKind = 'invalid' | 'conflict'

/** Names that an alias would translate, by target, in the form of a map file: every name waits for its value. */
export type OpenAliases = Readonly<Record<string, Readonly<Record<string, null>>>>

/** Why rows of a run failed, the most frequent cause first. Members without a content are absent. */
export interface CauseMembers {
  readonly causes?: readonly Cause[]
  readonly moreCauses?: number
  /** For the map file, with the values filled in. */
  readonly aliases?: OpenAliases
}

interface Tally {
  rows: number
  readonly first: Place[]
}

interface Group extends Tally {
  readonly kind: CauseKind | undefined
  readonly code: string
  readonly column: string | undefined
  readonly fix: string | undefined
  template: string
  readonly example: string
  /** By message; undefined once there were too many. */
  messages: Map<string, Tally> | undefined
}

const [maxGroups, maxMessages, maxMessagesOfGroup, maxAliases, maxFirst, maxListed] = [500, 5000, 1000, 1000, 5, 100]
/** More messages than this that hardly repeat are one cause with many values, not many causes. */
const fewMessages = 20
const maxCharacters = 500

/** Groups what is wrong with rows by code, column and message, in bounded memory whatever the rows hold. */
export class Causes {
  readonly #groups = new Map<string, Group>()
  readonly #aliases = new Map<string, Set<string>>()
  #messages = 0
  #aliasCount = 0

  add(issue: Issue, place: Place, kind?: CauseKind): void {
    const {alias} = issue
    const message = issue.message.slice(0, maxCharacters)
    const group = this.#groupOf(issue, message, kind)
    tally(group, place)
    if (group.messages) this.#addMessage(group, group.messages, message, place)
    if (alias && this.#aliasCount < maxAliases) {
      const names = this.#aliases.get(alias.target) ?? new Set()
      this.#aliases.set(alias.target, names)
      if (!names.has(alias.name)) this.#aliasCount += 1
      names.add(alias.name)
    }
  }

  get members(): CauseMembers {
    const all = [...this.#groups.values()].flatMap(causesOf).sort((one, other) => other.rows - one.rows)
    const aliases = [...this.#aliases].map(
      ([target, names]) => [target, Object.fromEntries([...names].map((name) => [name, null]))] as const,
    )
    return {
      ...(all.length > 0 ? {causes: all.slice(0, maxListed)} : {}),
      ...(all.length > maxListed ? {moreCauses: all.length - maxListed} : {}),
      ...(aliases.length > 0 ? {aliases: Object.fromEntries(aliases)} : {}),
    }
  }

  #groupOf({code, column, fix}: Issue, message: string, kind: CauseKind | undefined): Group {
    const template = templateOf(message)
    const id = `${kind ?? ''}\n${code}\n${column ?? ''}\n${template.replace(number, '#')}`
    const known = this.#groups.get(id)
    if (known) {
      known.template = shared(known.template, template)
      return known
    }
    // A server that words every refusal anew must not fill the memory.
    const isFull = this.#groups.size >= maxGroups
    const group: Group = (isFull && this.#groups.get('')) || {
      ...(isFull
        ? {kind: undefined, code: 'Other', column: undefined, template: 'other causes', messages: undefined}
        : {kind, code, column, template, messages: new Map<string, Tally>()}),
      fix,
      example: message,
      rows: 0,
      first: [],
    }
    this.#groups.set(isFull ? '' : id, group)
    return group
  }

  #addMessage(group: Group, messages: Map<string, Tally>, message: string, place: Place): void {
    const known = messages.get(message)
    if (known) tally(known, place)
    else if (messages.size < maxMessagesOfGroup && this.#messages < maxMessages) {
      this.#messages += 1
      messages.set(message, {rows: 1, first: [place]})
    } else {
      this.#messages -= messages.size
      group.messages = undefined
    }
  }
}

function tally(counted: Tally, place: Place): void {
  counted.rows += 1
  const {first} = counted
  const last = first.at(-1)
  if (last && first.length >= maxFirst && last.file === place.file && last.line < place.line) return
  // Rows end in another order than they stand in their file.
  first.push(place)
  first.sort((one, other) => (one.file === other.file ? one.line - other.line : 0))
  if (first.length > maxFirst) first.pop()
}

function causesOf({kind, code, column, fix, template, example, rows, first, messages}: Group): Cause[] {
  const shared = {...defined({kind}), code, ...defined({column, fix})}
  const areDistinct = messages !== undefined && messages.size > fewMessages && rows < 2 * messages.size
  if (messages && !areDistinct) {
    return [...messages].map(([message, counted]) => ({...shared, message, rows: counted.rows, first: counted.first}))
  }
  return [
    {...shared, message: template, ...defined({example: example === template ? undefined : example}), rows, first},
  ]
}

/** What two templates have in common: numbers that differ are left out. */
function shared(one: string, other: string): string {
  if (one === other) return one
  const theirs = other.match(number) ?? []
  let at = 0
  return one.replace(number, (mine) => (mine === theirs[at++] ? mine : '…'))
}

const number = /\d+|…(?!')/g

/** A message without what is between quotes: what rows that fail alike have in common. An apostrophe ends no quote. */
export const templateOf = (message: string): string => message.replace(/(?<!\w)'(?:[^']|'(?=\w))*'(?!\w)/g, "'…'")
