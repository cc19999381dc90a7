import {Args} from '@oclif/core'
import {refuseInReading} from '../../src/cli/command/idle-flags.js'
import {textFlag, writeFlags} from '../../src/cli/input/flags.js'
import {durationMs} from '../../src/cli/process/durations.js'
import {usage} from '../../src/cli/process/failure.js'
import {WholeServerCommand} from '../../src/cli/server/server-command.js'
import {administerServer} from '../../src/client/local/admin.js'

const verbs = ['show', 'advance', 'freeze', 'real'] as const

/** The change of the clock; undefined to only show it. Throws usage for a missing flag or one of another verb. */
function clockChange(
  verb: (typeof verbs)[number],
  {by, at}: {readonly by?: string | undefined; readonly at?: string | undefined},
): {readonly do: string; readonly milliseconds?: number; readonly at?: string} | undefined {
  if (by !== undefined && verb !== 'advance') throw usage('--by belongs to advance.', 'Leave it out.')
  if (at !== undefined && verb !== 'freeze') throw usage('--at belongs to freeze.', 'Leave it out.')
  switch (verb) {
    case 'show':
      return undefined
    case 'real':
      return {do: 'real'}
    case 'advance':
      if (by === undefined) throw usage('`advance` needs a duration.', 'Add --by, as in --by 2h.')
      return {do: 'advance', milliseconds: durationMs(by, '--by')}
    case 'freeze':
      return at === undefined ? {do: 'freeze'} : {do: 'freeze', at: instantOf(at)}
  }
}

function instantOf(text: string): string {
  const milliseconds = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?Z)?$/.test(text)
    ? Date.parse(text)
    : Number.NaN
  if (!Number.isNaN(milliseconds)) return new Date(milliseconds).toISOString()
  throw usage(`'${text}' is not a moment.`, 'Write it like 2026-12-24T18:00:00Z, or 2026-12-24 for midnight UTC.')
}

export default class ServerClock extends WholeServerCommand<typeof ServerClock> {
  static override summary = 'Show or change the time that the running local server uses'
  static override description =
    'For tests of expiry: tokens, quotes, sessions. `advance` moves the time forward, `freeze` stops it, `real` returns to the real time. Works on loopback only; the clock of this machine is not changed.'
  static override examples = [
    '<%= config.bin %> server clock advance --by 2h',
    '<%= config.bin %> server clock freeze --at 2026-12-24T18:00:00Z',
    '<%= config.bin %> server clock real',
    '<%= config.bin %> server clock show --json',
  ]
  static override args = {verb: Args.string({options: [...verbs], default: 'show', ignoreStdin: true})}
  static override flags = {
    by: textFlag('2h', 'How far to move the time forward.'),
    at: textFlag('TIME', 'The time to freeze at, in UTC; now if absent.'),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const change = clockChange(this.args.verb as (typeof verbs)[number], this.flags)
    const {dataDir} = this.local
    if (change === undefined) refuseInReading(this.given, 'show')
    const state =
      change === undefined
        ? await administerServer(dataDir, 'showClock')
        : await this.effect({
            settle: 'by itself',
            plan: async () => {
              const now = await administerServer(dataDir, 'showClock')
              return [now, `would ${this.args.verb} the clock, which is at ${now.now} (${now.mode})`]
            },
            actions: [`clock ${this.args.verb}`],
            // Moving it twice moves it twice as far; all else may be repeated.
            request: () =>
              administerServer(dataDir, 'changeClock', {body: change, isRepeatable: change.do !== 'advance'}),
          })
    if (state) await this.output.answer(state, `${state.now} (${state.mode})`)
  }
}
