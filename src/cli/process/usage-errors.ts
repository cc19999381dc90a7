import type {Command} from '@oclif/core'
import {Failure, meansOneOf, nearest, usage} from './failure.js'
import {oneLine} from './sanitize.js'

/** What oclif's parser throws, by the names of its classes and the members that matter. */
interface ParserError extends Error {
  readonly oclif?: unknown
  readonly args?: readonly unknown[]
  readonly flags?: readonly unknown[]
}

const helpHint = 'See the help: add --help.'

/** The command whose arguments were parsed. A static member that it leaves out is undefined. */
interface Parsed extends Partial<Pick<typeof Command, 'args' | 'flags' | 'baseFlags'>> {
  readonly command: string
  /** Those of all commands: a search may stand below the same topic. */
  readonly commandIDs: readonly string[]
}

/** A parser error of oclif as one sentence, with similar flags for an unknown one. */
export function plainUsage(error: unknown, parsed: Parsed): unknown {
  if (error instanceof Failure || !(error instanceof Error)) return error
  const {flags, args} = error as ParserError
  switch (error.constructor.name) {
    case 'NonExistentFlagsError':
      return unknownFlags((flags ?? []).map(String), Object.keys({...parsed.baseFlags, ...parsed.flags}))
    case 'RequiredArgsError': {
      const names = (args ?? []).map((arg) => (arg as {name: string}).name.toUpperCase())
      return usage(`${names.join(' and ')} ${names.length > 1 ? 'are' : 'is'} missing.`, helpHint)
    }
    case 'UnexpectedArgsError':
      return tooMany((args ?? []).map(String), parsed)
    default:
      return 'oclif' in error || error.message.startsWith('Parsing --')
        ? usage(sentence(error.message), helpHint)
        : error
  }
}

/** Arguments beyond those that a command takes. Where it takes secrets, one of them may be one: they are not repeated. */
function tooMany(given: readonly string[], {command, args, flags, commandIDs}: Parsed): Failure {
  const names = Object.keys({...args}).map((name) => name.toUpperCase())
  const takes = names.length === 0 ? 'takes no argument' : `takes ${names.join(' and ')}`
  const isSecret = Object.keys({...flags}).some((name) => /password|secret|token/.test(name))
  const count = given.length === 1 ? 'There is 1 argument' : `There are ${given.length} arguments`
  const which = isSecret ? '' : `: ${given.map((text) => `'${oneLine(text.slice(0, 80))}'`).join(', ')}`
  const search = command.replace(/\S*$/, 'find')
  const hasSearch = !isSecret && commandIDs.includes(search.replaceAll(' ', ':'))
  const hint = hasSearch ? `To look for somebody: frontdesk ${search} TEXT.` : undefined
  return usage(`${count} too many${which}; \`${command}\` ${takes}.`, hint, helpHint)
}

function unknownFlags(given: readonly string[], known: readonly string[]): Failure {
  // Only the name is shown: a value after = may be a secret.
  const names = given.map((flag) => flag.split('=')[0] ?? '')
  const near = names.flatMap((name) => nearest(name.replace(/^-+/, ''), known)).map((name) => `--${name}`)
  // `create` has a flag for each field, `update` sets fields with --set: suggest it.
  const fields = known.includes('set') ? names.filter((name) => /^--[a-z][a-z-]+$/.test(name)).map(fieldOf) : []
  const question = [
    meansOneOf(near),
    ...(fields.length === 0 ? [] : [`Fields are set with ${fields.map((name) => `--set ${name}=VALUE`).join(' ')}.`]),
  ]
  return usage(`Unknown flag ${names.join(', ')}.`, ...question, helpHint)
}

/** The field that a flag such as `--first-name` would set: `firstName`. */
const fieldOf = (flag: string): string =>
  flag.slice(2).replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** oclif's text in one line, without its own hint. */
const sentence = (message: string): string =>
  message
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && line !== 'See more help with --help')
    .join(' ')
    .replace(/^The following errors? occurred: /, '')
    .replace(/^Parsing (--\S+) /, '$1: ')
