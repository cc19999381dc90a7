import type {ErrorReport} from '../output/error-report.js'
import {exitCodes} from '../process/exit-codes.js'
import type {Act, Answers, Offers, Opened, Option, Question} from './act.js'
import {acts} from './acts.js'
import {Dialogue, NextCaller} from './dialogue.js'
import {type Call, noted, type Policy, questionsOfCall} from './policy.js'
import {Closed, type Prompter, WentBack} from './prompter.js'
import type {Ran, Service} from './service.js'
import type {Block} from './shown.js'

/** A session at the desk: search, card, questions, act, card again, until the person leaves. */

interface ConversationOptions {
  readonly prompter: Prompter
  readonly service: Service
  readonly policy: Policy
  /** The blocks of text for what is shown. */
  readonly textOf: (block: Block) => string
  /** A question as it may be shown. */
  readonly shown: (text: string) => string
  readonly menuOf: (opened: Opened) => string
}

/** The customer on the phone, and what is noted of the call. */
interface OnPhone {
  opened: Opened
  call: Call
  isNoted: boolean
  /** What may be chosen by its key after the last act. */
  next?: {readonly act: Act; readonly options: readonly Option[]} | undefined
}

const {conflict, interrupted, invalid, localState, notFound, unavailable, unknownOutcome, usage} = exitCodes
const endsIt = 'Ctrl-C again ends the session.'
const gone = 'This customer is gone: somebody has deleted the account.'

export class Conversation {
  readonly #options: ConversationOptions
  readonly #dialogue: Dialogue

  constructor(options: ConversationOptions) {
    this.#options = options
    this.#dialogue = new Dialogue(options.prompter, options.textOf, options.shown)
  }

  /** Takes what was shown once off the screen. */
  clear(): void {
    this.#dialogue.clear()
  }

  /** Runs a session from the first search to its end. */
  async hold(typed: string): Promise<void> {
    let text = typed
    try {
      for (;;) text = await this.#nextCall(text)
    } catch (error) {
      if (!(error instanceof Closed)) throw error
    } finally {
      this.#dialogue.clear()
    }
  }

  /** Serves one caller. Returns the text that the next search begins with. */
  async #nextCall(typed: string): Promise<string> {
    const {prompter, service, policy} = this.#options
    try {
      const search = {message: 'Who is calling?', typed, find: service.find}
      const picked = await this.#dialogue.answered(prompter.search(search))
      const opened = await this.#dialogue.during('reading the card', service.open(picked.id))
      if (opened === undefined) this.#dialogue.say(gone)
      else if (!('customer' in opened)) this.#dialogue.show({kind: 'trouble', report: opened})
      else await this.#serve({opened, call: policy.given, isNoted: false})
      return picked.typed
    } catch (error) {
      if (error instanceof NextCaller) return error.typed
      if (!(error instanceof WentBack)) throw error
      this.#dialogue.say(endsIt)
      return typed
    }
  }

  /** Takes keys at the card. Ends by throwing NextCaller or Closed. */
  async #serve(phone: OnPhone): Promise<never> {
    const {prompter, menuOf} = this.#options
    this.#dialogue.clear()
    this.#dialogue.show({kind: 'card', opened: phone.opened})
    for (;;) {
      prompter.print(menuOf(phone.opened))
      const typed = await this.#dialogue.answered(prompter.command('What is to be done?')).catch((error: unknown) => {
        if (!(error instanceof WentBack)) throw error
        this.#dialogue.clear()
        this.#dialogue.say(endsIt)
        throw new NextCaller()
      })
      try {
        await this.#obey(typed.trim(), phone)
      } catch (error) {
        if (!(error instanceof WentBack)) throw error
        this.#dialogue.say(`Nothing more was sent. ${endsIt}`)
      }
    }
  }

  async #obey(typed: string, phone: OnPhone): Promise<void> {
    const {policy} = this.#options
    if (typed.length > 1) return this.#dialogue.lookFor(typed)
    const key = typed.toLowerCase()
    if (key === '') return
    if (key === '.') throw new Closed()
    if (key === '/') {
      this.#dialogue.clear()
      throw new NextCaller()
    }
    if (key === 't') {
      await this.#note(phone, questionsOfCall({...policy, hasTicket: false, hasReason: false}))
      return this.#dialogue.say('Noted for this call.')
    }
    const {next} = phone
    const option = next?.options.find((one) => one.key === key)
    const act = option ? next?.act : acts.find((one) => one.key === key)
    if (!act) return this.#dialogue.say(`No action has the key '${typed}'.`)
    const unfit = act.unfit?.(phone.opened.customer)
    if (unfit !== undefined) return this.#dialogue.say(unfit)
    if (!act.reads && !phone.isNoted) await this.#note(phone, questionsOfCall(policy))
    await this.#attempt(act, phone, option ? {assignment: option.value ?? ''} : {})
  }

  /** Asks for ticket, reason and the protected profile. */
  async #note(phone: OnPhone, questions: readonly Question[]): Promise<void> {
    for (const question of questions) {
      const known = question.isSafetyWord ? '' : (phone.call[question.name as keyof Call] ?? '')
      phone.call = noted(phone.call, question.name, await this.#dialogue.ask(question, phone.opened, {initial: known}))
    }
    phone.isNoted = true
  }

  /** Asks what the act needs, until the service takes it or the person gives up. */
  async #attempt(act: Act, phone: OnPhone, given: Answers): Promise<void> {
    const offered = act.offers ? await this.#offered(act.offers, phone.opened) : []
    let answers: Answers = {}
    for (;;) {
      answers = {...given, ...(await this.#dialogue.answersTo(act, phone.opened, {before: answers, offered}))}
      if (act.words('', phone.opened.customer, answers).length === 0) return this.#dialogue.say('Nothing was changed.')
      const question = act.confirms?.(phone.opened, answers)
      if (question !== undefined && !(await this.#dialogue.confirmed(question, act.key)))
        return this.#dialogue.say('Nothing was done.')
      const isRefused = await this.#perform(act, phone, answers)
      if (!isRefused || act.asks === undefined) return
    }
  }

  /** Runs the act, again as long as the person says so. Returns whether a value was refused. */
  async #perform(act: Act, phone: OnPhone, answers: Answers): Promise<boolean> {
    for (;;) {
      const words = {opened: phone.opened, answers}
      const ran = await this.#dialogue.during(act.label, this.#options.service.run(act, words, phone.call))
      const {report} = ran
      if (!report) {
        await this.#succeeded(ran, phone)
        return false
      }
      const again = await this.#failed(ran, report, phone)
      if (again === 'refused') return true
      if (again === undefined) return false
      if (!(await this.#dialogue.confirmed(again))) {
        this.#dialogue.show({kind: 'card', opened: phone.opened})
        return false
      }
    }
  }

  async #succeeded(ran: Ran, phone: OnPhone): Promise<void> {
    const {act, isDryRun} = ran
    if (act.removes && !isDryRun) {
      this.#dialogue.clear()
      this.#dialogue.show({kind: 'result', ran})
      throw new NextCaller()
    }
    if (act.showsSecret) this.#dialogue.holdsSecret = true
    if (!act.reads && (await this.#reread(phone, ran))) this.#dialogue.show({kind: 'card', opened: phone.opened})
    this.#dialogue.show({kind: 'result', ran})
    await this.#offerNext(act, phone)
  }

  /** Shows what may be chosen by its key at the card, now that this act is done. */
  async #offerNext({next, reads}: Act, phone: OnPhone): Promise<void> {
    if (!reads) phone.next = undefined
    if (!next) return
    const options = await this.#offered(next.offers, phone.opened)
    phone.next = {act: next.act, options}
    if (options.length > 0) this.#dialogue.say(next.title)
    for (const {key, label} of options) this.#dialogue.say(`  [${key}] ${label}`)
  }

  /** What the target has to choose from; nothing where that cannot be read, and why. */
  async #offered(offers: Offers, opened: Opened): Promise<readonly Option[]> {
    const offered = await this.#dialogue.during('reading', this.#options.service.offers(offers, opened))
    if (Array.isArray(offered)) return offered as readonly Option[]
    this.#dialogue.show({kind: 'trouble', report: offered as ErrorReport})
    return []
  }

  /** What follows a failure: the question whether to repeat, `refused` for a value, undefined for neither. */
  async #failed({code}: Ran, report: ErrorReport, phone: OnPhone): Promise<string | undefined> {
    const before = phone.opened
    switch (code) {
      case interrupted.code:
        this.#dialogue.isLeaving = true
        throw new WentBack()
      case notFound.code:
        if (await this.#reread(phone)) this.#dialogue.show({kind: 'card', opened: phone.opened})
        break
      case unknownOutcome.code:
        this.#dialogue.show({kind: 'trouble', report})
        if (!(await this.#reread(phone))) return 'Try again?'
        this.#dialogue.show({kind: 'changes', before, after: phone.opened})
        return 'Nobody can tell whether it happened. Do it once more?'
      case conflict.code:
        if (report.code !== 'ConcurrentModification') break
        if (!(await this.#reread(phone))) return 'Try again?'
        this.#dialogue.show({kind: 'changes', before, after: phone.opened})
        return 'Somebody else changed this customer. Go on all the same?'
    }
    this.#dialogue.show({kind: 'trouble', report})
    if (code === unavailable.code || code === localState.code) return 'Try again?'
    return code === usage.code || code === invalid.code || code === conflict.code ? 'refused' : undefined
  }

  /** Reads the customer again. Returns false where that fails, and says so. */
  async #reread(phone: OnPhone, ran?: Ran): Promise<boolean> {
    const opened = await this.#dialogue.during('reading the card', this.#options.service.open(phone.opened.customer.id))
    if (opened === undefined) {
      if (ran) this.#dialogue.show({kind: 'result', ran})
      this.#dialogue.say(gone)
      throw new NextCaller()
    }
    if ('customer' in opened) {
      phone.opened = opened
      return true
    }
    this.#dialogue.show({kind: 'trouble', report: opened})
    this.#dialogue.say('The card could not be updated and may be out of date.')
    return false
  }
}
