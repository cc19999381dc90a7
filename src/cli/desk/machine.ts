import {exitCodes} from '../process/exit-codes.js'
import {acts} from './acts.js'
import {begun, cardOf, deskOf, keeping, type Move, note, noting, search} from './moves.js'
import {afterAct, repeated, reread} from './outcomes.js'
import {meaningOf, noted, questionsOf, questionsOfCall, refusal} from './questions.js'
import type {Desk, Event, Policy, Session, State, Step} from './state.js'

/** The course of a session: a pure function of where it is and what happened. */

export const beginning = (typed: string): Session => ({state: search(typed), isLeaving: false, holdsSecret: false})

/** What a person does; the others are answers of the service. */
const ofPeople: ReadonlySet<Event['is']> = new Set(['picked', 'typed', 'back'])

/** What follows an event. Going back twice in a row ends the session. */
export function step(session: Session, event: Event, policy: Policy): Step {
  if (event.is === 'closed' || (event.is === 'back' && session.isLeaving)) {
    return {session: {...session, state: {at: 'over'}}, shown: session.holdsSecret ? [{kind: 'clear'}] : []}
  }
  const [state, ...shown] = moved(session.state, event, policy)
  const isLeft = state.at === 'over' || (state.at === 'card' && session.state.at === 'opening')
  const clears = session.holdsSecret && isLeft
  return {
    session: {
      state,
      isLeaving: isBack(event) || (session.isLeaving && !ofPeople.has(event.is)),
      holdsSecret: showsSecret(event) || (session.holdsSecret && !isLeft),
    },
    shown: clears ? [{kind: 'clear'}, ...shown] : shown,
  }
}

const isBack = (event: Event): boolean =>
  event.is === 'back' || (event.is === 'ran' && event.ran.code === exitCodes.interrupted.code)

const showsSecret = (event: Event): boolean =>
  event.is === 'ran' && event.ran.act.showsSecret === true && event.ran.code === 0

function moved(state: State, event: Event, policy: Policy): Move {
  if (event.is === 'back') return wentBack(state)
  switch (state.at) {
    case 'search':
      return event.is === 'picked' ? [{at: 'opening', id: event.id, typed: event.typed}] : [state]
    case 'opening':
      return opening(state, event, policy)
    case 'rereading':
      return reread(state, event)
    case 'card':
      return event.is === 'typed' ? chosen(state, event.text, policy) : [state]
    case 'noting':
      return event.is === 'typed' ? answeredOfCall(state, event.text) : [state]
    case 'asking':
      return event.is === 'typed' ? answered(state, event.text) : [state]
    case 'acting':
      return event.is === 'ran' ? afterAct(state, event.ran) : [state]
    case 'repeating':
      return event.is === 'typed' ? repeated(state, event.text) : [state]
    case 'over':
      return [state]
  }
}

const endsIt = note('Ctrl-C again ends the session.')

function wentBack(state: State): Move {
  switch (state.at) {
    case 'asking':
    case 'repeating':
    case 'acting':
      return [cardOf(keeping(state)), note('Nothing more was sent. Ctrl-C again ends the session.')]
    case 'noting':
    case 'rereading':
      return [cardOf(state), endsIt]
    case 'opening':
      return [search(state.typed), endsIt]
    case 'card':
      return [search(), endsIt]
    case 'search':
    case 'over':
      return [state, endsIt]
  }
}

function opening(state: State & {at: 'opening'}, event: Event, {given}: Policy): Move {
  const {typed} = state
  if (event.is === 'missing') return [search(typed), note('This customer is gone: somebody has deleted the account.')]
  if (event.is === 'failed') return [search(typed), {kind: 'trouble', report: event.report}]
  if (event.is !== 'opened') return [state]
  const {opened} = event
  return [cardOf({opened, call: given, isNoted: false, kept: {}}), {kind: 'card', opened}]
}

/** A key of the menu. */
function chosen(state: State & {at: 'card'}, typed: string, policy: Policy): Move {
  const key = typed.trim().toLowerCase()
  switch (key) {
    case '':
      return [state]
    case 'q':
      return [{at: 'over'}]
    case '/':
      return [search()]
    case 't':
      return [noting(state, questionsOfCall({...policy, hasTicket: false, hasReason: false}))]
  }
  const act = acts.find((one) => one.key === key)
  if (!act) return [state, note(`No act has the key '${key}'.`)]
  const unfit = act.unfit?.(state.opened.customer, policy)
  if (unfit !== undefined) return [state, note(unfit)]
  const questions = act.writes && !state.isNoted ? questionsOfCall(policy) : []
  return [questions.length > 0 ? noting(state, questions, act) : begun(state, act)]
}

/** An answer about the call: ticket, reason, protected profile. */
function answeredOfCall(state: State & {at: 'noting'}, answer: string): Move {
  const [question, ...left] = state.left
  if (!question) return [cardOf(state)]
  const trouble = refusal(question, answer, state.opened)
  if (trouble !== undefined) return [{...state, trouble}]
  const on: Desk = {...deskOf(state), call: noted(state.call, question.name, answer)}
  if (left.length > 0) return [noting(on, left, state.act)]
  const done: Desk = {...on, isNoted: true}
  return state.act ? [begun(done, state.act)] : [cardOf(done), note('Noted for this call.')]
}

/** An answer to a question of an act. */
function answered(state: State & {at: 'asking'}, answer: string): Move {
  const {act, left: [question] = []} = state
  if (!question) return [begun(state, act)]
  const trouble = refusal(question, answer, state.opened)
  if (trouble !== undefined) {
    const kept = keeping({...state, answers: {...state.answers, [question.name]: answer}})
    return [{...state, kept: kept.kept, trouble}]
  }
  const answers = {...state.answers, [question.name]: meaningOf(question, answer, state.opened)}
  const left = questionsOf(act, answers).filter(({name}) => !(name in answers))
  const doing = {...deskOf(state), act, answers}
  return [left.length > 0 ? {...doing, at: 'asking', left} : {...doing, at: 'acting'}]
}

/** What stands in the field of a question at first: what was typed for it before, else what the customer has. */
export function initialOf(state: State & {at: 'asking' | 'noting'}): string {
  const [question] = state.left
  if (!question) return ''
  if (state.at === 'noting') {
    const given: unknown = state.call[question.name as keyof typeof state.call]
    return typeof given === 'string' ? given : ''
  }
  const {kept, act, answers, opened} = state
  return kept[act.key]?.[question.name] ?? question.initial?.(opened.customer, answers) ?? ''
}
