import {Args, Flags} from '@oclif/core'
import {refuseInReading} from '../../src/cli/command/idle-flags.js'
import {choiceFlag, type FlagValues, numberFlag, switchFlag, textFlag, writeFlags} from '../../src/cli/input/flags.js'
import {jsonObjectInput} from '../../src/cli/input/json-input.js'
import {valueAt} from '../../src/cli/output/fields.js'
import {durationMs} from '../../src/cli/process/durations.js'
import {didYouMean, usage} from '../../src/cli/process/failure.js'
import {WholeServerCommand} from '../../src/cli/server/server-command.js'
import {operationView} from '../../src/cli/server/views.js'
import {type AdminReply, administerServer} from '../../src/client/local/admin.js'
import {defined} from '../../src/domain/equal.js'

const verbs = ['show', 'set', 'clear', 'operations'] as const

type FaultState = AdminReply<'showFaults'>

const ruleFlags = {
  operation: textFlag(
    'ID|/PATH',
    'Only for this operation: its id (see server faults operations), or a part of its path.',
  ),
  status: choiceFlag(['429', '500', '502', '503', '504'], 'Answer with this status.'),
  locked: switchFlag('Answer LockedField.', {exclusive: ['status']}),
  latency: textFlag('200ms', 'Wait this long before handling the request.'),
  drop: choiceFlag(
    ['before', 'after'],
    'Close the connection before or after the request takes effect, without an answer.',
  ),
  probability: textFlag('0..1', 'Probability of the fault; 1 by default.'),
  times: numberFlag('Stop after this many faults.'),
  'retry-after': textFlag('5s', 'Retry-After of a 429 or 503.'),
}

/** One rule from flags. Throws a usage error for a rule that does nothing, or is none. */
function ruleOf(flags: FlagValues<typeof ruleFlags>): object {
  const {operation, status, locked, latency, drop, probability = '1', times} = flags
  if (status === undefined && !locked && latency === undefined && drop === undefined) {
    throw usage('No fault is given.', 'Add --status, --locked, --latency or --drop, or --plan @FILE.')
  }
  const chance = /^(0|1|0?\.\d+|1\.0+|0\.0+)$/.test(probability) ? Number(probability) : Number.NaN
  if (Number.isNaN(chance)) throw usage(`'${probability}' is not a probability.`, 'Use a number from 0 to 1.')
  const retryAfter = flags['retry-after']
  return {
    probability: chance,
    ...defined({operation, drop, times}),
    ...(status === undefined ? {} : {status: Number(status)}),
    ...(locked ? {locked: true} : {}),
    ...(latency === undefined ? {} : {latencyMs: durationMs(latency, '--latency')}),
    ...(retryAfter === undefined ? {} : {retryAfterSeconds: Math.ceil(durationMs(retryAfter, '--retry-after') / 1000)}),
  }
}

function faultLines({rules, drawn}: FaultState): string {
  if (rules.length === 0) return 'no faults'
  return rules.map((rule, at) => `${effectOf(rule)}; used ${drawn[at] ?? 0} times`).join('\n')
}

function effectOf(rule: FaultState['rules'][number]): string {
  const {operation = 'every operation', probability, status, locked, latencyMs, drop, times} = rule
  const effects = [
    ...(latencyMs === undefined ? [] : [`waits ${latencyMs} ms`]),
    ...(status === undefined ? [] : [`answers ${status}`]),
    ...(locked ? ['answers LockedField'] : []),
    ...(drop === undefined ? [] : [`drops the connection ${drop} the effect`]),
  ]
  const most = times === undefined ? '' : `, ${times} times at the most`
  return `${operation}: ${effects.join(', ')}, with probability ${probability}${most}`
}

/** All operations of the API and the authorization service; the administration is never struck. */
async function struckOperations() {
  const {operations} = await import('../../src/api/index.js')
  return operations.map(({id, method, path, summary}) => ({id, method, path: String(path), summary}))
}

/**
 * Throws a usage error for a rule of an operation that does not exist: it would strike nothing, and the test that relies
 * on it would pass untested. Rules that are none are left to the server.
 */
async function checkOperations(rules: unknown): Promise<void> {
  const asked = (Array.isArray(rules) ? (rules as unknown[]) : [])
    .map((rule) => valueAt(rule, 'operation'))
    .filter((operation) => typeof operation === 'string')
  if (asked.length === 0) return
  const known = await struckOperations()
  for (const text of asked) {
    if (known.some(({id, path}) => text === id || (text.startsWith('/') && path.includes(text)))) continue
    const names = text.startsWith('/')
      ? known.flatMap(({path}) => path.split('/').map((step) => `/${step}`))
      : known.map(({id}) => id)
    const hint = 'All: frontdesk server faults operations.'
    throw usage(`There is no operation '${text}'; no fault was set.`, didYouMean(text, new Set(names)), hint)
  }
}

export default class ServerFaults extends WholeServerCommand<typeof ServerFaults> {
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
    ...ruleFlags,
    seed: Flags.integer({helpValue: 'N', summary: 'Seed of the random choices; 1 by default.'}),
    add: switchFlag('Keep the rules that are already set.'),
    plan: textFlag('@FILE|JSON', 'A whole plan: {"seed", "rules": […]}, as show --json prints it.', {
      exclusive: [...Object.keys(ruleFlags), 'add'],
    }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    this.#checkVerb()
    const {verb} = this.args
    if (verb === 'show' || verb === 'operations') refuseInReading(this.given, verb)
    if (this.args.verb === 'operations') {
      const results = await struckOperations()
      await this.output.page({count: results.length, results}, operationView)
      return
    }
    const {dataDir} = this.local
    const plan = await this.#plan()
    const state =
      plan === undefined
        ? await administerServer(dataDir, 'showFaults')
        : await this.effect({
            settle: 'by itself',
            plan: () => [plan, `would ${this.args.verb} the faults of the server`],
            actions: [`faults ${this.args.verb}`],
            request: () => administerServer(dataDir, 'setFaults', {body: plan, isRepeatable: true}),
          })
    if (state) await this.output.answer(state, faultLines(state))
  }

  /** A verb that sets nothing takes no flag of a rule. */
  #checkVerb(): void {
    const {verb} = this.args
    if (verb === 'set') return
    const given = [...Object.keys(ruleFlags), 'seed', 'add', 'plan'].filter((name) => this.given.has(name))
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
    const before = await administerServer(this.local.dataDir, 'showFaults')
    return {seed: seed ?? before.seed, rules: [...before.rules, rule]}
  }
}
