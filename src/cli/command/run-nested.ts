import type {Config} from '@oclif/core'
import type {Prompts} from '../input/ask.js'
import type {Io} from '../process/io.js'
import type {Parent} from '../run/connection.js'
import type {BaseCommand} from './base-command.js'

interface NestedOptions {
  readonly config: Config
  readonly io: Io
  readonly prompts: Prompts
  readonly parent: Parent
}

/**
 * Runs a command inside another one, and returns its exit code: the same class with the same checks, audit and
 * settlement as if it had been typed into a shell. `name` is what people call it: `customers update`.
 */
export async function runNested(
  name: string,
  args: readonly string[],
  {config, io, prompts, parent}: NestedOptions,
): Promise<number> {
  const found = config.findCommand(name.replaceAll(' ', ':'), {must: true})
  const Loaded = (await found.load()) as unknown as new (argv: string[], config: Config) => BaseCommand<never>
  const command = new Loaded([...args], config)
  return Object.assign(command, {io, prompts, parent}).begin()
}
