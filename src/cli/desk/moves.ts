import {defined} from '../../domain/equal.js'
import type {Act, Answers, Question} from './act.js'
import {questionsOf} from './questions.js'
import type {Desk, Doing, Shown, State} from './state.js'

/** States and texts that several moves of the desk lead to. */

/** Where a move leads, and what is shown on the way. */
export type Move = readonly [state: State, ...shown: readonly Shown[]]

export const note = (text: string): Shown => ({kind: 'note', text})

export const search = (typed = ''): State => ({at: 'search', typed})

/** The open customer alone, without what was going on. */
export const deskOf = ({opened, call, isNoted, kept}: Desk): Desk => ({opened, call, isNoted, kept})

/** The desk with what was typed for an act, for when it is chosen again. */
export const keeping = ({act, answers, ...rest}: Doing): Desk => ({
  ...deskOf(rest),
  kept: {...rest.kept, [act.key]: {...rest.kept[act.key], ...answers}},
})

export const cardOf = (on: Desk): State => ({at: 'card', ...deskOf(on)})

/** The questions of an act from the first one, with what was typed for it before; the act itself if it has none. */
export function begun(on: Desk, act: Act): State {
  const left = questionsOf(act, {})
  const doing: Doing = {...deskOf(on), act, answers: {}}
  return left.length === 0 ? {...doing, at: 'acting'} : {...doing, at: 'asking', left}
}

/** The question whether to do an act once more. */
export const repetition = (on: Desk, act: Act, answers: Answers, question: string): State => ({
  ...deskOf(on),
  at: 'repeating',
  act,
  answers,
  question,
})

export const noting = (on: Desk, left: readonly Question[], act?: Act): State => ({
  ...deskOf(on),
  at: 'noting',
  left,
  ...defined({act}),
})
