import type {Command, Config} from '@oclif/core'
import type {AnyOperation} from '../../api/operation/operation.js'
import {type View, whole, wrapping} from '../output/view.js'
import {invalidValue} from '../process/failure.js'
import {oneLine} from '../process/sanitize.js'
import type {Calls, OperationName} from './operations.js'

/** What a command needs of its credentials, read from the declarations of the operations that it calls. */

export interface NeededScopes {
  readonly command: string
  /** Names without the project; those that others include are left out. */
  readonly scopes: readonly string[]
  /** What it needs extra for some of its flags. */
  readonly also?: readonly Sometimes[]
}

interface Sometimes {
  readonly scopes: readonly string[]
  readonly when: string
}

/** A need of some flags in words: `view_customers with --resource of a customer`. */
export const sometimesText = ({scopes, when}: Sometimes): string => `${scopes.join(', ')} with ${when}`

export const scopesView: View = {
  columns: [
    whole('command'),
    wrapping('scopes'),
    wrapping('also', (row) => ((row as NeededScopes).also ?? []).map(sometimesText).join('; ')),
  ],
  id: 'command',
}

export const scopeLines = ({scopes, also = []}: NeededScopes): readonly string[] => [
  ...(scopes.length > 0 ? [scopes.join(', ')] : []),
  ...also.map(sometimesText),
]

interface ScopeTarget {
  readonly projectKey: string
  readonly storeKey?: string
}

export interface Caller {
  readonly command: string
  readonly calls: Calls
}

/** The operations of a command in oclif's list, which leaves out inherited static members. */
export const callsOf = (command: Command.Loadable): Calls => (command['operations'] as Calls | undefined) ?? []

/** All commands that call operations, from oclif's manifest: no command is loaded. */
function callersOf({commands}: Pick<Config, 'commands'>): Caller[] {
  return commands
    .map((command) => ({command: command.id.replaceAll(':', ' '), calls: callsOf(command)}))
    .filter(({calls}) => calls.length > 0)
    .sort((a, b) => (a.command < b.command ? -1 : 1))
}

/**
 * The commands that the words name: all below a topic, or the one with the most words in common, since a reference or a
 * flag may follow. Throws for words that name no command, and for a command that calls nothing.
 */
function named(text: string, callers: readonly Caller[]): readonly Caller[] {
  const words = text.trim().split(/\s+/)
  const begins = (command: string, length: number): boolean =>
    `${command} `.startsWith(`${words.slice(0, length).join(' ')} `)
  const below = callers.filter(({command}) => begins(command, words.length))
  if (below.length > 0) return below
  const own = callers.filter(({command}) => `${words.join(' ')} `.startsWith(`${command} `))
  const longest = own.toSorted((a, b) => b.command.length - a.command.length)[0]
  if (longest) return [longest]
  throw invalidValue(
    `'${oneLine(text)}' needs no scope, or is no command.`,
    '`frontdesk token scopes` lists the commands.',
  )
}

/** The commands that some texts name, each once; all of them without a text. Throws InvalidValue, see `named`. */
export function callersNamed(texts: readonly string[], config: Pick<Config, 'commands'>): readonly Caller[] {
  const callers = callersOf(config)
  if (texts.length === 0) return callers
  return [...new Set(texts.flatMap((text) => named(text, callers)))]
}

async function operationsNamed(names: readonly OperationName[]): Promise<AnyOperation[]> {
  const declared = await import('../../api/declarations.js')
  return names.map((name) => declared[name])
}

function scopesFor({permission}: AnyOperation): readonly string[] {
  if (permission.kind === 'bearer') return permission.anyOf
  return permission.kind === 'basic' && permission.scope !== undefined ? [permission.scope] : []
}

/** The least scope of each operation, without those that another one includes. */
async function scopesOf(names: readonly OperationName[], given: readonly string[] = []): Promise<string[]> {
  const {opens} = await import('../../api/operation/permit.js')
  const wanted = (await operationsNamed(names)).flatMap((operation) => scopesFor(operation).slice(0, 1))
  const found: string[] = []
  for (const scope of new Set(wanted)) {
    const others = [...new Set(wanted), ...given].filter((other) => other !== scope).map((other) => `${other}:p`)
    if (!given.includes(scope) && !opens({anyOf: [scope]}, others, {projectKey: 'p'})) found.push(scope)
  }
  return found.sort()
}

const always = (calls: Calls): OperationName[] => calls.filter((call) => typeof call === 'string')

/** The scopes of a command. What only a flag leads to counts where `text`, the words that named it, has that flag. */
async function neededBy({command, calls}: Caller, text = ''): Promise<NeededScopes> {
  // Commands of a topic share some, each with a copy of its own in the manifest.
  const different = new Map(calls.map((call) => [JSON.stringify(call), call]))
  const sometimes = [...different.values()].filter((call) => typeof call !== 'string')
  const asked = sometimes.filter(({when}) => when !== undefined && text.includes(when))
  const named = asked.flatMap(({scopes: own = []}) => own)
  const scopes = [...(await scopesOf([...always(calls), ...asked.flatMap(({operations}) => operations)])), ...named]
  const also = []
  for (const {operations, scopes: own = [], when} of sometimes) {
    const extra = when === undefined ? [] : [...(await scopesOf(operations, scopes)), ...own]
    if (when !== undefined && extra.length > 0 && !text.includes(when)) also.push({scopes: extra, when})
  }
  return {command, scopes, ...(also.length > 0 ? {also} : {})}
}

/** What each command needs that needs a scope at all. */
export async function scopesOfAll(config: Pick<Config, 'commands'>): Promise<NeededScopes[]> {
  const all = await Promise.all(callersNamed([], config).map((caller) => neededBy(caller)))
  return all.filter(({scopes, also}) => scopes.length > 0 || also !== undefined)
}

/** What the commands that the words name need together. Throws InvalidValue for words that name none that needs a scope. */
export async function scopesOfNamed(text: string, config: Pick<Config, 'commands'>): Promise<NeededScopes> {
  const callers = callersNamed([text], config)
  const needs = await neededBy({command: text, calls: callers.flatMap(({calls}) => calls)}, text)
  if (needs.scopes.length > 0 || needs.also) return needs
  throw invalidValue(`'${oneLine(text)}' needs no scope.`, 'Any client of the project may call it.')
}

/** The operations of a command that the scopes do not permit, each with its alternative scopes. */
export async function missingScopes(
  {calls}: Caller,
  scopes: readonly string[],
  {projectKey, storeKey}: ScopeTarget,
): Promise<readonly string[]> {
  const {opens} = await import('../../api/operation/permit.js')
  const missing = new Set<string>()
  for (const operation of await operationsNamed(always(calls))) {
    const anyOf = scopesFor(operation)
    const target = operation.inStore && storeKey !== undefined ? {projectKey, storeKey} : {projectKey}
    if (anyOf.length === 0 || opens({anyOf}, scopes, target)) continue
    missing.add(`${operation.id} needs ${anyOf.map((name) => `${name}:${projectKey}`).join(' or ')}`)
  }
  return [...missing]
}
