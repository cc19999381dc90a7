import type {Client} from '../../client/client.js'
import type {Asker} from '../input/ask.js'
import type {FlagValues, globalFlags, writeFlags} from '../input/flags.js'
import type {Io} from '../process/io.js'
import type {Folders} from '../target/folders.js'
import type {Guard} from '../target/guards.js'
import type {Chosen} from '../target/settings.js'
import type {Subject} from '../target/subject.js'
import type {ResolvedTarget} from '../target/target.js'
import type {OutFiles} from './out-files.js'
import type {Redactor, Shows} from './redaction.js'

/** One run of a command, made by the base command: what works for the command gets this and not its parts. */
export interface Run<F = unknown> {
  readonly io: Io
  readonly flags: FlagValues<typeof globalFlags & typeof writeFlags> & F
  /** The command as people type it: `customers update`. */
  readonly command: string
  readonly folders: Folders
  readonly chosen: Chosen
  readonly resolved: ResolvedTarget
  /** What a write or a check is about, for its first line. */
  readonly subject: Subject
  readonly redaction: Redactor
  readonly ask: Asker
  readonly files: OutFiles
  /** Whether something was changed, or tried to. */
  readonly hasActed: boolean
  readonly shows: Shows
  /** A dry run shows what it would do and changes nothing. */
  readonly isDry: boolean
  /** The command that runs this one inside itself: which fields of the caller it checked, and who hears of each intent. */
  readonly parent?: {readonly checked?: readonly string[] | undefined; readonly onIntent?: (() => void) | undefined}
  /** The client of the target, opened at its first use. */
  client(): Promise<Client>
  /** Asks the target with its own credentials, also where the command acts for a customer. */
  asClient<R>(work: (client: Client) => Promise<R>): Promise<R>
  /** A command line for the same target, to be pasted into a shell; `store` replaces the store of the flags. */
  commandLine(words: readonly string[], store?: string): string
  /** The profiles whose rules hold for the target. */
  guards(): Promise<readonly Guard[]>
  /** Prints a note to the person at the terminal; `--quiet` drops it. */
  say(text: string): void
  /** Prints a note on how to go on at the command line; silent inside another command, which has ways of its own. */
  hint(text: string): void
  /** Ends with the code for this machine: what was done is done, and a file about it is missing. */
  endUnwritten(): void
  /** Prints a line on stderr, also with `--quiet`. */
  stderr(text: string): void
}

/** A change of this machine beside a result, such as a page or a trace. A dry run names it and leaves it. */
export async function beside(run: Run, what: string, act: () => void | Promise<void>): Promise<void> {
  if (run.isDry) run.say(`A dry run does not ${what}.`)
  else await act()
}
