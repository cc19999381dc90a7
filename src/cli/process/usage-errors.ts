import {nearest} from '../../deprecations/nearest.js'
import {Failure, usage} from './failure.js'

/** What oclif's parser throws, by the names of its classes and the members that matter. */
interface ParserError extends Error {
  readonly oclif?: unknown
  readonly args?: readonly unknown[]
  readonly flags?: readonly unknown[]
}

const helpHint = 'See the help: add --help.'

/** A parser error of oclif as one sentence, with similar flags for an unknown one. */
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
      // The arguments are not repeated: one may be a secret, as in --password-stdin hunter2.
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
  // Only the name is shown: a value after = may be a secret.
  const names = given.map((flag) => flag.split('=')[0] ?? '')
  const near = names.flatMap((name) => nearest(name.replace(/^-+/, ''), known)).map((name) => `--${name}`)
  // `create` has a flag for each field, `update` sets fields with --set: suggest it.
  const fields = known.includes('set') ? names.filter((name) => /^--[a-z][a-z-]+$/.test(name)).map(fieldOf) : []
  const question = [
    ...(near.length === 0 ? [] : [`Did you mean ${near.join(' or ')}?`]),
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
