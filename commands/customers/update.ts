import {BaseCommand} from '../../src/cli/command/base-command.js'
import {type Calls, customerReads} from '../../src/cli/command/operations.js'
import {customerOf} from '../../src/cli/customers/calls.js'
import {newNotes} from '../../src/cli/customers/draft.js'
import {differenceLines, differences, preview, withNames} from '../../src/cli/customers/preview.js'
import {conflictModes, updateCustomer} from '../../src/cli/customers/update/engine.js'
import {changeFlags, changesFrom} from '../../src/cli/customers/update/flags.js'
import {defaultFlag, expandFlags, numberFlag, writeFlags} from '../../src/cli/input/flags.js'
import {parseRef, refArg} from '../../src/cli/input/refs.js'
import {passwordFlags, secretOf} from '../../src/cli/input/secret-inputs.js'
import {customerView, personOf} from '../../src/cli/output/views.js'
import {usage} from '../../src/cli/process/failure.js'
import {keeping} from '../../src/cli/records/changes.js'
import type {Plan} from '../../src/cli/safety/door.js'
import type {Client} from '../../src/client/client.js'
import type {Customer} from '../../src/domain/customers/customer.js'

export default class CustomersUpdate extends BaseCommand<typeof CustomersUpdate> {
  static override operations: Calls = [...customerReads, 'updateCustomerById']
  static override summary = 'Change a customer'
  static override description =
    'Sends only the given changes, with the version that was read. --dry-run shows the differences, the update actions and the messages that they produce.'
  static override examples = [
    '<%= config.bin %> customers update key=ada --set firstName=Ada --unset title',
    '<%= config.bin %> customers update key=ada --set addresses.0.city=London --dry-run',
    '<%= config.bin %> customers update key=ada --set companyName=Engines --on-conflict retry --reason "requested by phone"',
  ]
  static override args = {ref: refArg('a customer')}
  static override flags = {
    ...changeFlags,
    ...passwordFlags,
    ...expandFlags,
    ...writeFlags,
    version: numberFlag('Send this version instead of the one that is read.'),
    'on-conflict': defaultFlag(
      conflictModes,
      'fail',
      'If somebody else changed the customer meanwhile: fail, retry, or retry only if other fields changed (rebase).',
    ),
  }

  async run(): Promise<void> {
    const ref = parseRef(this.args.ref)
    const actions = await changesFrom(this.flags, this.io, await this.#password())
    const client = await this.client()
    const found = await customerOf(client, ref, {asking: this.asking})
    const {version = found.version, expand} = this.flags
    if (this.flags['auth-mode'] !== undefined) this.say('A change of the way to sign in cannot be undone.')
    const updated = await this.effect({
      at: 'target',
      plan: () => this.#plan(client, {...found, version}, actions),
      act: (write) =>
        updateCustomer({
          client,
          run: this,
          before: found,
          version: this.flags.version,
          actions,
          onConflict: this.flags['on-conflict'],
          expand,
          keep: keeping(this),
          write,
        }),
    })
    if (!updated) return
    const {before: from, after, isKept} = updated
    for (const note of newNotes(from, after, this.io.clock())) this.say(note)
    await this.output.change(after, customerView, await changeLines(client, from, after, this.output))
    if (isKept) this.hint(`undo: ${this.commandLine(['undo', after.id])}`)
  }

  async #plan(client: Client, before: Customer, actions: Awaited<ReturnType<typeof changesFrom>>): Promise<Plan> {
    const list = actions(before)
    const {id, version} = before
    const folded = await preview(client, before, list, this.io.clock())
    const changed = differences(before, folded.next)
    const messages = folded.messages.map(({type}) => type)
    return [
      {id, version, actions: list.map(withoutPassword), differences: changed, messages},
      [
        `would update ${personOf(this.output.masked(before))} at version ${version}`,
        ...differenceLines(await withNames(client, changed), this.output),
        `actions: ${list.map(({action}) => action).join(', ')}`,
        `messages: ${messages.join(', ') || 'none'}`,
        ...newNotes(before, folded.next, this.io.clock()),
      ].join('\n'),
    ]
  }

  async #password(): Promise<string | undefined> {
    const given = (['password-file', 'password-stdin'] as const).find((name) => this.flags[name])
    if (this.flags['auth-mode'] !== 'Password') {
      if (given === undefined) return undefined
      throw usage(
        `--${given} has no effect without --auth-mode Password.`,
        'A new password is set by `frontdesk customers reset-password REF --set`.',
      )
    }
    return secretOf(this, 'password', 'New password of the customer:', {twice: true})
  }
}

const withoutPassword = (action: {readonly action: string}) =>
  'password' in action ? {...action, password: '***'} : action

async function changeLines(
  client: Client,
  before: {id: string; version: number},
  after: {version: number},
  output: Parameters<typeof differenceLines>[1],
): Promise<string[]> {
  if (after.version === before.version)
    return [`unchanged ${personOf(output.masked(before))}: version ${before.version}`]
  const person = personOf(output.masked(after))
  return [
    `updated ${person}: version ${before.version} → ${after.version}`,
    ...differenceLines(await withNames(client, differences(before, after)), output),
  ]
}
