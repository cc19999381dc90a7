import {setTimeout as pause} from 'node:timers/promises'
import {Flags} from '@oclif/core'
import {quoteReads} from '../../src/cli/command/operations.js'
import {expandFlags, textFlag} from '../../src/cli/input/flags.js'
import {durationMs} from '../../src/cli/process/durations.js'
import {Failure} from '../../src/cli/process/failure.js'
import {interrupted, interruption} from '../../src/cli/process/interruption.js'
import {parseQuoteRef, quoteArg, quoteOf} from '../../src/cli/quotes/calls.js'
import {identityFlags} from '../../src/cli/quotes/identity.js'
import {QuoteCommand} from '../../src/cli/quotes/quote-command.js'
import {quoteView} from '../../src/cli/quotes/view.js'
import {quoteStates} from '../../src/domain/quotes/states.js'

const firstPauseMs = 100
const longestPauseMs = 2_000
const growth = 1.5

interface Waiting {
  readonly timeoutMs: number
  readonly clock: () => number
  /** Aborts the wait. */
  readonly signal: AbortSignal
}

/**
 * Polls with growing pauses until a value satisfies the condition or the time is up, with a last read at the end. Returns
 * the last value and whether it satisfies the condition.
 */
async function waitUntil<T>(
  read: () => Promise<T>,
  isWanted: (value: T) => boolean,
  {timeoutMs, clock, signal}: Waiting,
): Promise<{readonly value: T; readonly reached: boolean}> {
  const end = clock() + timeoutMs
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * growth, longestPauseMs)) {
    const value = await read()
    const leftMs = end - clock()
    if (isWanted(value)) return {value, reached: true}
    if (leftMs <= 0 || signal.aborted) return {value, reached: false}
    await pause(Math.min(pauseMs, leftMs), undefined, {signal}).catch(() => undefined)
  }
}

export default class QuotesWait extends QuoteCommand<typeof QuotesWait> {
  static override operations = quoteReads
  static override summary = 'Wait until a quote is in a state'
  static override description =
    'Reads the quote at intervals of up to two seconds. Ends with code 0 once it is in the state, and with 11 after the timeout.'
  static override examples = [
    '<%= config.bin %> quotes wait key=spring-order --state Accepted --timeout 10m --as session:ada',
    '<%= config.bin %> quotes wait key=hazel-open --state Accepted --state Declined --as key=hazel-brandvold --json',
  ]
  static override args = {ref: quoteArg}
  static override flags = {
    ...identityFlags,
    state: Flags.option({
      options: quoteStates,
      required: true,
      multiple: true,
      multipleNonGreedy: true,
      summary: 'The state to wait for (repeatable: any of them).',
    })(),
    timeout: textFlag('2m', 'How long to wait; two minutes if absent.'),
    ...expandFlags,
  }

  async run(): Promise<void> {
    const {state, expand, timeout = '2m'} = this.flags
    const ref = parseQuoteRef(this.args.ref)
    const states: readonly string[] = state
    const {value, reached} = await waitUntil(
      async () => {
        await this.identity.ready()
        return this.connection.once(async (client) => quoteOf(await this.identity.speaking(client), ref, expand))
      },
      ({quoteState}) => states.includes(quoteState),
      {timeoutMs: durationMs(timeout, '--timeout'), clock: this.io.clock, signal: interruption()},
    )
    const {id, version, quoteState} = value
    if (!reached && interruption().aborted) {
      throw interrupted(`Interrupted; the quote is ${quoteState}.`)
    }
    if (!reached) {
      throw new Failure('waitEnded', 'WaitEnded', `The quote is still ${quoteState} after ${timeout}.`, {
        hints: [`Waited for ${states.join(' or ')}; repeat with a longer --timeout, or look at it.`],
        details: [{id, version, quoteState}],
      })
    }
    await this.output.document(value, quoteView)
  }
}
