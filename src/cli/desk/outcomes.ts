import type {ErrorReport} from '../output/error-report.js'
import {exitCodes} from '../process/exit-codes.js'
import type {Act} from './act.js'
import {begun, cardOf, deskOf, keeping, type Move, note, repetition, search} from './moves.js'
import {type Desk, type Event, type Ran, type Shown, type State, yesOrNo} from './state.js'

/** What follows an act: success, a refusal, a lost connection, somebody who was faster. */

const {conflict, interrupted, invalid, localState, notFound, unavailable, unknownOutcome, usage} = exitCodes

export function afterAct(state: State & {at: 'acting'}, result: Ran): Move {
  const {act, answers} = state
  const {code, report} = result
  if (code === 0 || !report) return succeeded(state, result)
  const typed = keeping(state)
  const trouble: Shown = {kind: 'trouble', report}
  switch (code) {
    case interrupted.code:
      return [cardOf(typed), note('Nothing was sent. Ctrl-C again ends the session.')]
    case notFound.code:
      return [{...typed, at: 'rereading', next: {to: 'card', trouble: report}}]
    case unknownOutcome.code:
      return [{...typed, at: 'rereading', next: {to: 'repeat', act, answers, why: 'open'}}, trouble]
    case conflict.code:
      if (report.code !== 'ConcurrentModification') return refused(typed, act, report)
      return [{...typed, at: 'rereading', next: {to: 'repeat', act, answers, why: 'moved'}}]
    case usage.code:
    case invalid.code:
      return refused(typed, act, report)
    case unavailable.code:
    case localState.code:
      return [repetition(typed, act, answers, 'Try again?'), trouble]
    default:
      return [cardOf(typed), trouble]
  }
}

function succeeded(state: State & {at: 'acting'}, result: Ran): Move {
  const {act} = state
  const {[act.key]: _, ...kept} = state.kept
  const done: Desk = {...deskOf(state), kept}
  const shown: Shown = {kind: 'result', ran: result}
  if (act.removes && !result.isDryRun) return [search(), shown]
  if (!act.writes) return [cardOf(done), shown]
  return [{...done, at: 'rereading', next: {to: 'card', result}}]
}

/** A value was refused: the questions come back with what was typed, below the reason. */
function refused(on: Desk, act: Act, report: ErrorReport): Move {
  const state = begun(on, act)
  return [state.at === 'asking' ? state : cardOf(on), {kind: 'trouble', report}]
}

/** The customer was read again, after an act or because somebody else was faster. */
export function reread(state: State & {at: 'rereading'}, event: Event): Move {
  const {next} = state
  const known = next.to === 'card' ? ofNext(next) : []
  if (event.is === 'missing') {
    return [search(), ...known, note('This customer is gone: somebody has deleted the account meanwhile.')]
  }
  if (event.is === 'failed') {
    const failed: Shown = {kind: 'trouble', report: event.report}
    const old = note('The card could not be read again: it may be out of date.')
    if (next.to === 'card') return [cardOf(state), ...known, failed, old]
    return [repetition(state, next.act, next.answers, 'Try again?'), failed, old]
  }
  if (event.is !== 'opened') return [state]
  const now: Desk = {...deskOf(state), opened: event.opened}
  if (next.to === 'card') return [cardOf(now), {kind: 'card', opened: event.opened}, ...known]
  const changes: Shown = {kind: 'changes', before: state.opened, after: event.opened}
  return [repetition(now, next.act, next.answers, questions[next.why]), changes]
}

const questions = {
  moved: 'Somebody else changed this customer. Go on all the same?',
  open: 'Nobody can tell whether it happened. Do it once more?',
} as const

const ofNext = ({result, trouble}: {readonly result?: Ran; readonly trouble?: ErrorReport}): Shown[] => [
  ...(result ? [{kind: 'result', ran: result} as const] : []),
  ...(trouble ? [{kind: 'trouble', report: trouble} as const] : []),
]

/** Whether to do it once more. */
export function repeated(state: State & {at: 'repeating'}, typed: string): Move {
  const {act, answers, opened} = state
  switch (typed.trim().toLowerCase()) {
    case 'y':
      return [{...deskOf(state), at: 'acting', act, answers}]
    case 'n':
      return [cardOf(keeping(state)), {kind: 'card', opened}]
    default:
      return [{...state, trouble: `Press ${yesOrNo.map(({key}) => key).join(' or ')}.`}]
  }
}
