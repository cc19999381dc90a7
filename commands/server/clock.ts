import {Args} from '@oclif/core'
import {textFlag, writeFlags} from '../../src/cli/input/flags.js'
import {ServerCommand} from '../../src/cli/server/server-command.js'
import {clockChange, clockOf} from '../../src/cli/server/test-hooks.js'

const verbs = ['show', 'advance', 'freeze', 'real'] as const

export default class ServerClock extends ServerCommand<typeof ServerClock> {
  static override shows = 'installation' as const
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
    const state =
      change === undefined
        ? await clockOf(dataDir)
        : await this.effect({
            settle: 'by itself',
            plan: async () => {
              const now = await clockOf(dataDir)
              return [now, `would ${this.args.verb} the clock, which is at ${now.now} (${now.mode})`]
            },
            actions: [`clock ${this.args.verb}`],
            request: () => clockOf(dataDir, change),
          })
    if (state) await this.output.answer(state, `${state.now} (${state.mode})`)
  }
}
