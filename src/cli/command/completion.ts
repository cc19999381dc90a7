import type {Config} from '@oclif/core'
import {globalFlags} from '../input/flags.js'
import {topics} from './help-topics.js'
import {commandAt, named} from './synonyms.js'

/** Kinds of values that only this machine knows. */
export type Kind = 'profiles' | 'sessions' | 'stores' | 'customers' | 'jobs' | 'message types'

/** Words to offer, or the kind of them; nothing leaves it to the shell, which offers files. */
export type Offer = readonly string[] | Kind

/** Flags whose values this machine knows, whatever the command. */
export const flagKinds: Readonly<Record<string, Kind>> = {
  ...{profile: 'profiles', 'confirm-profile': 'profiles', from: 'profiles', to: 'profiles', type: 'message types'},
  ...{'as-session': 'sessions', saved: 'sessions', as: 'customers', resource: 'customers'},
  ...{store: 'stores', 'in-store': 'stores', 'add-store': 'stores', 'remove-store': 'stores'},
}

/** Arguments whose values this machine knows, by the topic or command and the name of the argument. */
export const argumentKinds: Readonly<Record<string, Kind>> = {
  ...{'customers ref': 'customers', 'profiles name': 'profiles', 'login name': 'profiles', 'logout name': 'profiles'},
  ...{'token name': 'sessions', 'jobs job': 'jobs'},
}

interface Flag {
  readonly type: string
  readonly char?: string
  readonly options?: readonly string[]
  readonly hidden?: boolean
}

const namesOf = ([name, {char}]: readonly [string, Flag]): string[] => [`--${name}`, ...(char ? [`-${char}`] : [])]

/** What may stand in the place of the last of the words, which is being typed; `before` goes in front of each. */
export function candidatesFor(
  words: readonly string[],
  config: Config,
): {readonly before: string; readonly offer: Offer} {
  const current = words.at(-1) ?? ''
  const [, before = '', inline] = /^((--[^=]+)=)/.exec(current) ?? []
  let id = ''
  let isHelp = false
  let flag: readonly [string, Flag] | undefined
  let flags: (readonly [string, Flag])[] = Object.entries<Flag>(globalFlags)
  const find = (word: string | undefined) =>
    flags.find((one) => one[1].type === 'option' && word !== undefined && namesOf(one).includes(word))
  for (const word of words.slice(0, -1)) {
    if (flag) flag = undefined
    else if (word.startsWith('-')) flag = find(word)
    else if (word === 'help' && id === '') isHelp = true
    else {
      id = named(id, word, config) ?? id
      if (commandAt(id, config))
        flags = [...Object.entries<Flag>(globalFlags), ...Object.entries<Flag>(config.findCommand(id)?.flags ?? {})]
    }
  }
  flag = inline === undefined ? flag : find(inline)
  if (flag) return {before, offer: flag[1].options ?? flagKinds[flag[0]] ?? []}
  if (current.startsWith('-')) return {before, offer: flags.filter(([, {hidden}]) => !hidden).flatMap(namesOf)}
  if (commandAt(id, config)) return {before, offer: argumentOf(id, config)}
  const depth = id === '' ? 0 : id.split(':').length
  const below = config.commandIDs
    .filter((one) => depth === 0 || one.startsWith(`${id}:`))
    .map((one) => one.split(':')[depth] ?? '')
  const help = depth > 0 ? [] : isHelp ? [...topics.keys()] : ['help']
  return {before, offer: [...new Set([...below, ...help])]}
}

function argumentOf(id: string, config: Config): Offer {
  for (const [name, {options}] of Object.entries(config.findCommand(id)?.args ?? {})) {
    const offer =
      options ?? argumentKinds[`${id.replaceAll(':', ' ')} ${name}`] ?? argumentKinds[`${id.split(':')[0]} ${name}`]
    if (offer) return offer
  }
  return []
}
