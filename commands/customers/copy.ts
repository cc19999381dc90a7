import {Flags} from '@oclif/core'
import {BulkCommand} from '../../src/cli/bulk/bulk-command.js'
import {pageQueryOf, sinceQuery} from '../../src/cli/bulk/export.js'
import {jobFlags, matchFlags, pressureFlags, sinceFlags} from '../../src/cli/bulk/flags.js'
import {bulkOptions} from '../../src/cli/bulk/options.js'
import {type BulkRun, planRows, type RowSource, type RunNotes, writeRows} from '../../src/cli/bulk/rows.js'
import {ShownPlan} from '../../src/cli/bulk/shown-plan.js'
import {flowEnd, Since} from '../../src/cli/bulk/since.js'
import {type CopiedReferences, importLines, referenceLines} from '../../src/cli/bulk/summaries.js'
import {customerRows, markCalls, referenceCalls, resetLinkCalls} from '../../src/cli/command/operations.js'
import {choiceFlag, defaultFlag, switchFlag, textFlag, whereFlags, writeFlags} from '../../src/cli/input/flags.js'
import {usage} from '../../src/cli/process/failure.js'
import {interruption} from '../../src/cli/process/interruption.js'
import {type Side, sideOf} from '../../src/cli/target/target.js'
import type {Client} from '../../src/client/client.js'
import {defined} from '../../src/domain/equal.js'

export default class CustomersCopy extends BulkCommand<typeof CustomersCopy> {
  static override uses = ['requests'] as const
  static override operations = [...customerRows, ...referenceCalls, ...markCalls, ...resetLinkCalls]
  static override summary = 'Copy customers from one profile to another'
  static override description =
    'Copies references by key, since ids differ between projects. Passwords cannot be copied: customers get none, unless --password-mode creates new ones. A customer whose store, group or type is missing at the target fails; --with-references creates these first, without the channels and product selections of stores, and leaves existing ones unchanged. Custom fields that refer to other missing resources are left out.'
  static override examples = [
    '<%= config.bin %> customers copy --from staging --to local --anonymize 7',
    '<%= config.bin %> customers copy --from staging --to local --with-references',
    '<%= config.bin %> customers copy --from staging --to test --dry-run',
    '<%= config.bin %> customers copy --from staging --to test --since last',
  ]
  static override flags = {
    from: Flags.string({required: true, helpValue: 'PROFILE', summary: 'Profile to read the customers from.'}),
    to: Flags.string({required: true, helpValue: 'PROFILE', summary: 'Profile to write the customers to.'}),
    anonymize: textFlag('SEED', 'Replace personal data by pseudonyms; the same seed gives the same pseudonyms.'),
    'with-references': switchFlag('First create the types, customer groups and stores that --to lacks.'),
    ...whereFlags,
    ...sinceFlags,
    ...matchFlags,
    match: choiceFlag(
      ['key', 'email', 'externalId', 'customerNumber'],
      'Field by which customers find their counterparts; if absent, the key, or the email of a customer without a key.',
    ),
    'password-mode': defaultFlag(
      ['generate', 'reset-links', 'external-auth'],
      'external-auth',
      'Passwords of new customers: generated, random with a reset token (reset-links), or none.',
    ),
    ...pressureFlags,
    ...jobFlags,
    ...writeFlags,
  }
  #to: Side | undefined

  /** The target of the writes, `--to`, which confirmations and the audit log name. */
  #target(): Side {
    this.#to ??= sideOf(this.flags.to, this.profiles, this.folders, this.io.env)
    return this.#to
  }

  override get chosen() {
    return this.#target().chosen
  }

  override get resolved() {
    return this.#target().resolved
  }

  async run(): Promise<void> {
    const {from, to} = this.flags
    if (from === to) throw usage('--from and --to name the same profile.')
    const source = sideOf(from, this.profiles, this.folders, this.io.env).resolved
    const {where, var: variables, anonymize} = this.flags
    const since = Since.of(this, ['copy', flowEnd(source), where, variables, anonymize], this.resolved)
    const both = <R extends object>(
      task: (bulk: BulkRun, open: RowSource) => Promise<R>,
    ): Promise<R & RunNotes & CopiedReferences> =>
      this.bulkAt(source.target, ({client}) =>
        this.bulk(async (bulk) => {
          const {open, beside} = this.#rows(client, since)
          return {...(await task(bulk, open)), ...beside()}
        }),
      )
    const shown = new ShownPlan(this.output, this.flags)
    await this.job({
      actions: ['copy'],
      plan: () => both((bulk, open) => planRows(bulk, open, shown, this)),
      planLines: (plan) => [...referenceLines(plan, 'would create'), this.quoting(shown.lines(plan))].join('\n'),
      run: () => both((bulk, open) => writeRows(bulk, open, this, this.ownCommand)),
      lines: (result) => [...referenceLines(result, 'created'), this.quoting(importLines(result))].join('\n'),
      since,
    })
  }

  /** The customers of another project as rows, after what they refer to. `beside` is known once they are open. */
  #rows(source: Client, since: Since | undefined): {readonly open: RowSource; readonly beside: () => CopiedReferences} {
    const {flags, isDry} = this
    let beside: CopiedReferences = {}
    const open: RowSource = async ({client, onEvent}, use) => {
      const {withCustomersOf} = await import('../../src/transfer/copy.js')
      // Customers are found by key by default, and by email if they have none.
      const options = {...(await bulkOptions(flags, this.resolved)), match: flags.match ?? ('key-or-email' as const)}
      const brought = await this.#references(client, source)
      await since?.begin(client)
      const {query, watermark} = await sinceQuery(pageQueryOf(flags), since)
      const reading = {query, ...this.#reading, ...defined({anonymize: flags.anonymize, watermark}), ...brought.reading}
      const result = await withCustomersOf(source, reading, (sources, {withoutKey}) => {
        if (flags.match === undefined && withoutKey > 0) onEvent({type: 'without-key', rows: withoutKey})
        const referencesComing = isDry && flags['with-references']
        return use({
          sources,
          options: {...options, referencesComing},
          about: {copiedFrom: flags.from, ...since?.about},
          brought: brought.names,
        })
      })
      if (!isDry && watermark) await since?.reach(watermark.value, client)
      beside = brought.shown()
      return result
    }
    return {open, beside: () => beside}
  }

  get #reading() {
    return {signal: interruption(), ...defined({retries: this.flags.retries})}
  }

  /** Brings what the customers refer to before they come, where `--with-references` asks for it. */
  async #references(client: Client, source: Client) {
    if (!this.flags['with-references']) return {names: [], reading: {}, shown: () => ({})}
    const {bringReferences} = await import('../../src/transfer/target/references.js')
    const {brought, names, newIds, values} = await bringReferences(source, client, {
      isDry: this.isDry,
      ...this.#reading,
    })
    return {
      names,
      reading: {newIds, trim: values.of},
      shown: () => ({references: brought, valuesLeftOut: values.leftOut}),
    }
  }
}
