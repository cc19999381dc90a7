import {Flags} from '@oclif/core'
import {quoteWrites} from '../../src/cli/command/operations.js'
import {differenceLines, differences} from '../../src/cli/customers/preview.js'
import {expandFlags, writeFlags} from '../../src/cli/input/flags.js'
import {changeQuote, messagesOf, orConflict, quoteChange} from '../../src/cli/quotes/answer.js'
import {parseQuoteRef, quoteArg, quoteOf} from '../../src/cli/quotes/calls.js'
import {quoteChangeFlags, quoteChanges} from '../../src/cli/quotes/changes.js'
import {identityFlags} from '../../src/cli/quotes/identity.js'
import {QuoteCommand} from '../../src/cli/quotes/quote-command.js'
import {quoteView} from '../../src/cli/quotes/view.js'

export default class QuotesUpdate extends QuoteCommand<typeof QuotesUpdate> {
  static override operations = quoteWrites
  static override summary = 'Change custom fields of a quote'
  static override description = 'Sends only the given changes, with the version that was read.'
  static override examples = [
    '<%= config.bin %> quotes update key=spring-order --set custom.reason="New studio" --as-session ada',
    `<%= config.bin %> quotes update key=spring-order --action '{"action":"setCustomType"}' --as-session ada --dry-run`,
  ]
  static override args = {ref: quoteArg}
  static override flags = {
    ...identityFlags,
    ...quoteChangeFlags,
    version: Flags.integer({helpValue: 'N', min: 1, summary: 'Send this version instead of the one that is read.'}),
    ...expandFlags,
    ...writeFlags,
  }

  async run(): Promise<void> {
    const {version, expand} = this.flags
    const ref = parseQuoteRef(this.args.ref)
    const actions = await quoteChanges(this.flags, this.io)
    const names = actions.map(({action}) => action)
    const client = await this.client()
    const found = await quoteOf(client, ref)
    const before = version === undefined ? found : {...found, version}
    const after = await this.effect({
      at: 'target',
      plan: () => [
        {id: before.id, version: before.version, actions, messages: messagesOf(actions)},
        `would update ${before.id} at version ${before.version}\nactions: ${names.join(', ')}`,
      ],
      act: (write) => {
        const written = write({
          target: before.id,
          actions: names,
          versionBefore: before.version,
          request: () => changeQuote(client, before, actions, expand),
          settle: quoteChange(client, found, {actions, expand, look: this.commandLine(['quotes', 'get', before.id])}),
        })
        return orConflict(written, client, before)
      },
    })
    if (!after) return
    const same = after.version === before.version
    await this.output.change(after, quoteView, [
      same
        ? `unchanged ${before.id}: version ${before.version}`
        : `updated ${before.id}: version ${before.version} → ${after.version}`,
      ...differenceLines(differences(found, after), this.output),
    ])
  }
}
