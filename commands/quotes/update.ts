import {quoteWrites} from '../../src/cli/command/operations.js'
import {type Assignment, assignmentsIn, customField} from '../../src/cli/customers/assignments.js'
import {checkedAgainst, differenceLines, differences} from '../../src/cli/customers/preview.js'
import {actionFlags, actionsIn} from '../../src/cli/customers/update/flags.js'
import {type FlagValues, textsFlag} from '../../src/cli/input/flags.js'
import {invalidValue, usage} from '../../src/cli/process/failure.js'
import type {Io} from '../../src/cli/process/io.js'
import {changeQuote, messagesOf} from '../../src/cli/quotes/answer.js'
import {quoteWriteFlags} from '../../src/cli/quotes/answer-command.js'
import {parseQuoteRef, quoteArg, quoteOf} from '../../src/cli/quotes/calls.js'
import {identityFlags} from '../../src/cli/quotes/identity.js'
import {QuoteCommand} from '../../src/cli/quotes/quote-command.js'
import {quoteView} from '../../src/cli/quotes/view.js'
import type {UpdateAction} from '../../src/domain/action.js'
import {myQuoteActions} from '../../src/domain/quotes/actions.js'

/** Changes of a quote: custom fields by name, or update actions of the API. */
const quoteChangeFlags = {
  set: textsFlag('custom.NAME=VALUE', 'Set a custom field; custom.NAME:=JSON for lists and objects (repeatable).'),
  unset: textsFlag('custom.NAME', 'Remove the value of a custom field (repeatable).'),
  ...actionFlags,
}

function fieldAction(assignment: Assignment): UpdateAction {
  const [field, ...rest] = assignment.path
  if (field === 'custom') return customField(assignment, rest)
  throw invalidValue(
    `'${assignment.path.join('.')}' cannot be set.`,
    'A customer changes custom.NAME only; to answer, use accept, decline or renegotiate.',
  )
}

/** The actions that flags ask for, checked. Throws usage if nothing is to change, InvalidValue for what is no action. */
async function quoteChanges(flags: FlagValues<typeof quoteChangeFlags>, io: Io): Promise<UpdateAction[]> {
  const actions = [...assignmentsIn(flags).map(fieldAction), ...(await actionsIn(flags, io))]
  if (actions.length === 0)
    throw usage('There is nothing to change.', 'Add --set custom.NAME=VALUE, --unset or --actions.')
  checkedAgainst(myQuoteActions, actions)
  return actions
}

export default class QuotesUpdate extends QuoteCommand<typeof QuotesUpdate> {
  static override operations = quoteWrites
  static override summary = 'Change custom fields of a quote'
  static override description = 'Sends only the given changes, with the version that was read.'
  static override examples = [
    '<%= config.bin %> quotes update key=spring-order --set custom.reason="New studio" --as session:ada',
    `<%= config.bin %> quotes update key=spring-order --action '{"action":"setCustomType"}' --as session:ada --dry-run`,
  ]
  static override args = {ref: quoteArg}
  static override flags = {
    ...identityFlags,
    ...quoteChangeFlags,
    ...quoteWriteFlags,
  }

  async run(): Promise<void> {
    const {version, expand} = this.flags
    const ref = parseQuoteRef(this.args.ref)
    const actions = await quoteChanges(this.flags, this.io)
    const client = await this.client()
    const found = await quoteOf(client, ref)
    const {id} = found
    const sent = version ?? found.version
    const after = await this.effect({
      at: 'target',
      plan: () => [
        {id, version: sent, actions, messages: messagesOf(actions)},
        `would update ${id} at version ${sent}\nactions: ${actions.map(({action}) => action).join(', ')}`,
      ],
      act: (write) => {
        const look = this.commandLine(['quotes', 'get', id])
        return changeQuote(write, {client, before: found, version, actions, expand, look})
      },
    })
    if (!after) return
    await this.output.change(after, quoteView, [
      after.version === sent ? `unchanged ${id}: version ${sent}` : `updated ${id}: version ${sent} → ${after.version}`,
      ...differenceLines(differences(found, after), this.output),
    ])
  }
}
