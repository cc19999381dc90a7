import {nearest} from '../../deprecations/nearest.js'
import {Failure, usage} from './failure.js'

/** What oclif's parser throws, by the names of its classes and the members that matter. */
interface ParserError extends Error {
  readonly oclif?: unknown
  readonly args?: readonly unknown[]
  readonly flags?: readonly unknown[]
}

const helpHint = 'See the help: add --help.'

/** oclif's complaint about a command line in one sentence, with the nearest flags for an unknown one. */
export function plainUsage(error: unknown, knownFlags: readonly string[]): unknown {
  if (error instanceof Failure || !(error instanceof Error)) return error
  const {flags, args} = error as ParserError
  switch (error.constructor.name) {
    case 'NonExistentFlagsError':
      return unknownFlags((flags ?? []).map(String), knownFlags)
    case 'RequiredArgsError': {
      const names = (args ?? []).map((arg) => (arg as {name: string}).name.toUpperCase())
      return usage(`${names.join(' and ')} ${names.length > 1 ? 'are' : 'is'} missing.`, helpHint)
    }
    case 'UnexpectedArgsError':
      // They may be secrets that slipped out of a flag, as in --password-stdin hunter2.
      return usage(
        `There ${(args ?? []).length === 1 ? 'is 1 argument' : `are ${(args ?? []).length} arguments`} too many.`,
        helpHint,
      )
    default:
      return 'oclif' in error || error.message.startsWith('Parsing --')
        ? usage(sentence(error.message), helpHint)
        : error
  }
}

function unknownFlags(given: readonly string[], known: readonly string[]): Failure {
  // A value after = may be a secret; the name is enough.
  const names = given.map((flag) => flag.split('=')[0] ?? '')
  const near = names.flatMap((name) => nearest(name.replace(/^-+/, ''), known)).map((name) => `--${name}`)
  // What creates has a flag for each field; what updates sets them all alike.
  const fields = known.includes('set') ? names.filter((name) => /^--[a-z][a-z-]+$/.test(name)).map(fieldOf) : []
  const question = [
    ...(near.length === 0 ? [] : [`Did you mean ${near.join(' or ')}?`]),
    ...(fields.length === 0 ? [] : [`Fields are set with ${fields.map((name) => `--set ${name}=VALUE`).join(' ')}.`]),
  ]
  return usage(`Unknown flag ${names.join(', ')}.`, ...question, helpHint)
}

/** `--first-name` as the field that it would set. */
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
