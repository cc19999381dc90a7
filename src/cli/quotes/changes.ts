import type {UpdateAction} from '../../domain/action.js'
import {myQuoteActions} from '../../domain/quotes/actions.js'
import {type Assignment, customField, parseAssignment, parseRemoval} from '../customers/assignments.js'
import {checkedAgainst} from '../customers/preview.js'
import {checkedAction} from '../customers/update-flags.js'
import {type Given, textFlag, textsFlag} from '../input/flags.js'
import {jsonInput, jsonObjectInput} from '../input/json-input.js'
import {invalidValue, usage} from '../process/failure.js'
import type {Io} from '../process/io.js'

const many = (helpValue: string, summary: string) => textsFlag(helpValue, summary)

/** Changes of a quote: custom fields by name, or update actions of the API. */
export const quoteChangeFlags = {
  set: many('custom.NAME=VALUE', 'Set a custom field; custom.NAME:=JSON for lists and objects (repeatable).'),
  unset: many('custom.NAME', 'Remove the value of a custom field (repeatable).'),
  action: many('JSON', 'An update action of the API (repeatable).'),
  actions: textFlag('@FILE|-|JSON', 'A list of update actions.'),
}

export type QuoteChangeFlags = Given<typeof quoteChangeFlags>

function fieldAction(assignment: Assignment): UpdateAction {
  const [field, ...rest] = assignment.path
  if (field === 'custom') return customField(assignment, rest)
  throw invalidValue(
    `'${assignment.path.join('.')}' cannot be set.`,
    'A customer changes custom.NAME only; to answer, use accept, decline or renegotiate.',
  )
}

/** The actions that flags ask for, checked. Throws usage if nothing is to change, InvalidValue for what is no action. */
export async function quoteChanges(flags: QuoteChangeFlags, io: Io): Promise<UpdateAction[]> {
  const assigned = [...(flags.set ?? []).map(parseAssignment), ...(flags.unset ?? []).map(parseRemoval)].map(
    fieldAction,
  )
  const inline = await Promise.all((flags.action ?? []).map((text) => jsonObjectInput(text, '--action', io)))
  const listed = flags.actions === undefined ? [] : await jsonInput(flags.actions, '--actions', io)
  if (!Array.isArray(listed)) throw usage('--actions must be a JSON list.')
  const actions = [...assigned, ...[...inline, ...(listed as unknown[])].map(checkedAction)]
  if (actions.length === 0) throw usage('Nothing is to change.', 'Add --set custom.NAME=VALUE, --unset or --actions.')
  checkedAgainst(myQuoteActions, actions)
  return actions
}
