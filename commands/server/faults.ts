import {Args, Flags} from '@oclif/core'
import {choiceFlag, textFlag, writeFlags} from '../../src/cli/input/flags.js'
import {jsonObjectInput} from '../../src/cli/input/json-input.js'
import {usage} from '../../src/cli/process/failure.js'
import {ServerCommand} from '../../src/cli/server/server-command.js'
import {
  checkOperations,
  faultLines,
  faultsOf,
  operationView,
  ruleOf,
  struckOperations,
} from '../../src/cli/server/test-hooks.js'
import {defined} from '../../src/domain/equal.js'

const ruleFlags = [
  ...(['operation', 'status', 'locked', 'latency', 'drop', 'probability', 'times', 'retry-after'] as const),
  ...(['seed', 'add', 'plan'] as const),
]
const verbs = ['show', 'set', 'clear', 'operations'] as const

export default class ServerFaults extends ServerCommand<typeof ServerFaults> {
  static override shows = 'installation' as const
  static override summary = 'Inject faults into the running local server'
  static override description =
    'For tests of your own software: the server answers with errors, delays or lost connections, chosen by operation and probability. The same seed gives the same faults. `set` replaces earlier rules, --add keeps them. `operations` lists the operations. Works on loopback only.'
  static override examples = [
    '<%= config.bin %> server faults set --status 503 --retry-after 1s --times 2',
    '<%= config.bin %> server faults set --operation createCustomer --drop after --probability 0.3 --seed 7 --add',
    '<%= config.bin %> server faults show --json',
    '<%= config.bin %> server faults clear',
    '<%= config.bin %> server faults operations -o ids',
  ]
  static override args = {verb: Args.string({options: [...verbs], default: 'show', ignoreStdin: true})}
  static override flags = {
    operation: textFlag(
      'ID|/PATH',
      'Only for this operation: its id (see server faults operations), or a part of its path.',
    ),
    status: choiceFlag(['429', '500', '502', '503', '504'], 'Answer with this status.'),
    locked: Flags.boolean({exclusive: ['status'], summary: 'Answer LockedField.'}),
    latency: textFlag('200ms', 'Wait this long before handling the request.'),
    drop: choiceFlag(
      ['before', 'after'],
      'Close the connection before or after the request takes effect, without an answer.',
    ),
    probability: textFlag('0..1', 'Probability of the fault; 1 by default.'),
    times: Flags.integer({helpValue: 'N', min: 1, summary: 'Stop after this many faults.'}),
    'retry-after': textFlag('5s', 'Retry-After of a 429 or 503.'),
    seed: Flags.integer({helpValue: 'N', summary: 'Seed of the random choices; 1 by default.'}),
    add: Flags.boolean({summary: 'Keep the rules that are already set.'}),
    plan: textFlag('@FILE|JSON', 'A whole plan: {"seed", "rules": […]}, as show --json prints it.', {
      exclusive: ['operation', 'status', 'locked', 'latency', 'drop', 'probability', 'times', 'retry-after', 'add'],
    }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    this.#checkVerb()
    if (this.args.verb === 'operations') {
      const results = await struckOperations()
      await this.output.page({count: results.length, results}, operationView)
      return
    }
    const {dataDir} = this.local
    const plan = await this.#plan()
    const state =
      plan === undefined
        ? await faultsOf(dataDir)
        : await this.effect({
            settle: 'by itself',
            plan: () => [plan, `would ${this.args.verb} the faults of the server`],
            actions: [`faults ${this.args.verb}`],
            request: () => faultsOf(dataDir, plan),
          })
    if (state) await this.output.answer(state, faultLines(state))
  }

  /** A verb that sets nothing takes no flag of a rule. */
  #checkVerb(): void {
    const {verb} = this.args
    if (verb === 'set') return
    const given = ruleFlags.filter((name) => ![undefined, false].includes(this.flags[name] as undefined))
    if (given.length === 0) return
    const flags = given.map((name) => `--${name}`).join(', ')
    throw usage(`${flags} has no effect in 'server faults ${verb}'.`, `Write: frontdesk server faults set …`)
  }

  async #plan(): Promise<object | undefined> {
    const {flags, args} = this
    const {plan, add, seed} = flags
    if (args.verb === 'show') return undefined
    if (args.verb === 'clear') return {rules: []}
    if (plan !== undefined) {
      const {drawn: _, ...given} = await jsonObjectInput(plan, '--plan', this.io)
      await checkOperations(given['rules'])
      return given
    }
    const rule = ruleOf(flags)
    await checkOperations([rule])
    if (!add) return {...defined({seed}), rules: [rule]}
    const before = await faultsOf(this.local.dataDir)
    return {seed: seed ?? before.seed, rules: [...before.rules, rule]}
  }
}
