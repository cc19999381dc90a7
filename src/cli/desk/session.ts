import type {ErrorReport} from '../output/error-report.js'
import type {Act, Opened, Option} from './act.js'
import {acts, steering} from './acts.js'
import {beginning, initialOf, step} from './machine.js'
import {Closed, type Prompter, type Search, WentBack} from './prompter.js'
import {type Block, type Call, type Event, type Policy, type Ran, type Session, type State, yesOrNo} from './state.js'

/** What the desk needs of the service. None of them throws. */
export interface Counter {
  readonly find: Search['find']
  /** Reads a customer: the card, nothing if there is none, or why it could not be read. */
  open(id: string): Promise<Opened | ErrorReport | undefined>
  /** Runs the command of an act. */
  run(
    act: Act,
    words: {readonly opened: Opened; readonly answers: Readonly<Record<string, string>>},
    call: Call,
  ): Promise<Ran>
}

export interface Surroundings {
  readonly prompter: Prompter
  readonly counter: Counter
  readonly policy: Policy
  /** The blocks of text for what is shown. */
  readonly textOf: (block: Block) => string
  readonly menuOf: (opened: Opened) => string
}

/** Runs a session from the first search to its end. */
export async function converse(typed: string, surroundings: Surroundings): Promise<void> {
  const {prompter, policy, textOf} = surroundings
  let session: Session = beginning(typed)
  while (session.state.at !== 'over') {
    const event = await nextEvent(session.state, surroundings)
    const next = step(session, event, policy)
    session = next.session
    for (const shown of next.shown) {
      if (shown.kind === 'clear') prompter.clear()
      else prompter.print(textOf(shown))
    }
  }
}

async function nextEvent(state: State, surroundings: Surroundings): Promise<Event> {
  try {
    return await asked(state, surroundings)
  } catch (error) {
    if (error instanceof WentBack) return {is: 'back'}
    if (error instanceof Closed) return {is: 'closed'}
    throw error
  }
}

async function asked(state: State, surroundings: Surroundings): Promise<Event> {
  const {prompter, counter, menuOf} = surroundings
  const typed = async (text: Promise<string>): Promise<Event> => ({is: 'typed', text: await text})
  switch (state.at) {
    case 'search': {
      const message = 'Who is calling?'
      return {is: 'picked', ...(await prompter.search({message, typed: state.typed, find: counter.find}))}
    }
    case 'opening':
    case 'rereading': {
      const id = state.at === 'opening' ? state.id : state.opened.customer.id
      return read(await during(prompter, 'reading the card', counter.open(id)))
    }
    case 'card':
      prompter.print(menuOf(state.opened))
      return typed(prompter.key('What is to be done?', menu))
    case 'noting':
    case 'asking':
      return typed(answer(surroundings, state))
    case 'repeating':
      return typed(chosen(surroundings, state.question, yesOrNo, state.trouble))
    case 'acting': {
      const {act, opened, answers, call} = state
      return {is: 'ran', ran: await during(prompter, act.label, counter.run(act, {opened, answers}, call))}
    }
    case 'over':
      return {is: 'closed'}
  }
}

const menu: readonly Option[] = [...acts, ...steering]

const read = (answer: Opened | ErrorReport | undefined): Event => {
  if (answer === undefined) return {is: 'missing'}
  return 'customer' in answer ? {is: 'opened', opened: answer} : {is: 'failed', report: answer}
}

async function during<T>(prompter: Prompter, what: string, work: Promise<T>): Promise<T> {
  const done = prompter.waiting(what)
  try {
    return await work
  } finally {
    done()
  }
}

/** What empties a field that is offered filled: an empty line takes what is offered. */
const emptied = '-'

async function answer(surroundings: Surroundings, state: State & {at: 'asking' | 'noting'}): Promise<string> {
  const [question] = state.left
  if (!question) throw new Error(`The desk is ${state.at} without a question.`)
  const {opened, trouble} = state
  const above = trouble ?? question.above?.(opened)
  if (question.options) return chosen(surroundings, question.text, question.options(opened.customer), above)
  if (above !== undefined) say(surroundings, above)
  const initial = initialOf(state)
  const line = await surroundings.prompter.line({message: question.text, initial})
  return initial !== '' && line.trim() === emptied ? '' : line
}

function chosen(
  surroundings: Surroundings,
  message: string,
  options: readonly Option[],
  above: string | undefined,
): Promise<string> {
  if (above !== undefined) say(surroundings, above)
  else for (const {key, label} of options) say(surroundings, `  [${key}] ${label}`)
  return surroundings.prompter.key(message, options)
}

const say = ({prompter, textOf}: Surroundings, text: string): void => prompter.print(textOf({kind: 'note', text}))
