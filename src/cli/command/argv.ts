import type {Config} from '@oclif/core'
import {refuseSecretFlags} from '../input/secret-arguments.js'
import {usage} from '../process/failure.js'
import {commandIdOf} from './synonyms.js'

/** A command line as people type it, read up to the name of its command. */
export interface CommandLine {
  /** The id of the command or of the topic; empty if there is none. */
  readonly id: string
  readonly isCommand: boolean
  /** The word that names nothing below the topic. */
  readonly unknown: string | undefined
  /** What stands beside the name: flags before it and everything after it. */
  readonly args: readonly string[]
  /** `help` before the name, or `--help` anywhere. */
  readonly help: boolean
  /** `--version`, `-V` or `version` in place of a command. */
  readonly version: boolean
}

const isHelp = (argument: string): boolean => argument === '--help' || argument === '-h'
const isVersion = (argument: string): boolean => ['--version', '-V', 'version'].includes(argument)
const isFlag = (argument: string): boolean => argument.startsWith('-') && argument !== '-'

/** `--trace-http` may stand without a file; oclif knows only flags with or without a value. */
function withTraceFile(argv: readonly string[]): readonly string[] {
  return argv.map((argument, index) =>
    argument !== '--trace-http' || argv[index + 1]?.endsWith('.har') ? argument : '--trace-http=-',
  )
}

/**
 * Reads the name of the command, by its own words or by synonyms, with global flags before, between and after them.
 * Throws a usage error for any other flag before the name: only the command knows whether a value follows it.
 */
export async function readCommandLine(argv: readonly string[], config: Config): Promise<CommandLine> {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length
  const own = withTraceFile(argv.slice(0, end))
  const flags: string[] = []
  let help = own.some(isHelp)
  let id = ''
  let index = 0
  const line = (found: Partial<CommandLine>): CommandLine => ({
    ...{id, isCommand: false, unknown: undefined, help, version: false},
    ...found,
    args: [...flags, ...own.slice(index), ...argv.slice(end)],
  })
  while (index < own.length) {
    const argument = own[index] ?? ''
    index += 1
    if (isHelp(argument)) continue
    if (id === '' && isVersion(argument)) return line({version: true})
    if (isFlag(argument)) {
      const length = await lengthOf(argument, own)
      flags.push(...own.slice(index - 1, index - 1 + length))
      index += length - 1
      continue
    }
    if (argument === 'help' && (id === '' || !commandIdOf(id, argument, config))) {
      help = true
      continue
    }
    const found = commandIdOf(id, argument, config)
    if (found === undefined) return line({unknown: argument})
    id = found
    if (config.findCommand(id)) return line({isCommand: true})
  }
  return line({})
}

async function lengthOf(argument: string, own: readonly string[]): Promise<number> {
  const {globalFlags} = await import('../input/flags.js')
  const flags: readonly (readonly [string, {readonly type: string; readonly char?: string}])[] =
    Object.entries(globalFlags)
  const [name = ''] = argument.split('=')
  const long = flags.find(([flag]) => name === `--${flag}`)?.[1]
  if (long) return long.type === 'option' && !argument.includes('=') ? 2 : 1
  // Short flags: `-q`, `-qy`, `-P NAME`, `-PNAME`.
  for (const [at, char] of argument.startsWith('--') ? [] : [...argument.slice(1)].entries()) {
    const short = flags.find(([, flag]) => flag.char === char)?.[1]
    if (!short) break
    if (short.type === 'option') return at + 2 === argument.length ? 2 : 1
    if (at + 2 === argument.length) return 1
  }
  refuseSecretFlags(own, new Set())
  throw usage(
    `Unknown flag ${name} before the command.`,
    'Global flags may stand anywhere (`frontdesk help flags`), those of a command after its name.',
  )
}
