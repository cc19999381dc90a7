import {Closed, WentBack} from '../input/keys.js'
import type {ErrorReport} from '../output/error-report.js'
import {valueAt} from '../output/fields.js'
import {exitCodes} from '../process/exit-codes.js'
import type {Act, Answers, Offers, Opened, Option} from './act.js'
import {acts, checkKey} from './acts.js'
import {type Dialogue, endsIt, NextCaller} from './dialogue.js'
import {onlyHolder} from './finding.js'
import {createCustomer} from './new-customer.js'
import {checkCaller, type Noting, type NotingOptions, note, prepared} from './noting.js'
import type {Ran} from './service.js'

export interface CallOptions extends NotingOptions {
  readonly menuOf: (opened: Opened, isWhole?: boolean) => string
}

interface OnPhone extends Noting {
  /** What may be chosen by its key after the last action, and that action as a command. */
  next?: {readonly act: Act; readonly options: readonly Option[]} | undefined
  command?: string
}

const {conflict, interrupted, invalid, localState, notFound, unavailable, unknownOutcome, usage} = exitCodes
const gone = 'This customer is gone: somebody has deleted the account.'

export class PhoneCall {
  readonly #options: CallOptions
  readonly #dialogue: Dialogue

  constructor(options: CallOptions) {
    this.#options = options
    this.#dialogue = options.dialogue
  }

  /** Opens a customer and serves them. Ends by throwing NextCaller or Closed; returns where nobody could be opened. */
  async serve(id: string): Promise<void> {
    const {service, policy} = this.#options
    const opened = await this.#dialogue.during('reading the card', service.open(id, false))
    if (opened === undefined) this.#dialogue.say(gone)
    else if (!('customer' in opened)) this.#dialogue.show({kind: 'trouble', report: opened})
    else {
      this.#dialogue.clear()
      await this.#stay({opened, call: policy.given, isNoted: false})
    }
  }

  async create(opened: Opened): Promise<void> {
    const phone: OnPhone = {opened, call: this.#options.policy.given, isNoted: false}
    await prepared(createCustomer, phone, this.#options)
    await this.#attempt(createCustomer, phone, {})
  }

  /** Shows the card and takes keys. Ends by throwing NextCaller or Closed. */
  async #stay(phone: OnPhone): Promise<never> {
    const {menuOf} = this.#options
    const {prompter} = this.#dialogue
    this.#dialogue.show({kind: 'card', opened: phone.opened})
    for (;;) {
      prompter.print(menuOf(phone.opened))
      const typed = await this.#dialogue.answered(prompter.command('What next?')).catch((error: unknown) => {
        if (!(error instanceof WentBack)) throw error
        this.#dialogue.clear()
        this.#dialogue.say(endsIt)
        throw new NextCaller()
      })
      try {
        await this.#obey(typed.trim(), phone)
      } catch (error) {
        if (!(error instanceof WentBack)) throw error
        this.#dialogue.sayBack('Nothing more was sent.')
      }
    }
  }

  async #obey(typed: string, phone: OnPhone): Promise<void> {
    const key = typed.toLowerCase()
    if (key.length > 1) return this.#dialogue.lookFor(typed)
    if (key === '.') throw new Closed()
    if (key === '') return this.#dialogue.show({kind: 'card', opened: phone.opened})
    if (key === '?') {
      this.#dialogue.prompter.print(this.#options.menuOf(phone.opened, true))
      return this.#dialogue.show({kind: 'details', opened: phone.opened, command: phone.command})
    }
    if (key === checkKey.key && phone.opened.hidesFields) return checkCaller(phone, this.#options)
    if (key === 't') {
      await note(phone, {...this.#options.policy, hasTicket: false, hasReason: false}, this.#options)
      return this.#dialogue.say('Saved with your next action or, when the call ends, on its own.')
    }
    const option = phone.next?.options.find((one) => one.key === key)
    const act = option ? phone.next?.act : acts.find((one) => one.key === key)
    if (!act) return this.#dialogue.say(`No action has the key '${typed}'.`)
    const unfit = act.unfit?.(phone.opened.customer)
    if (unfit !== undefined) return this.#dialogue.say(unfit)
    await prepared(act, phone, this.#options)
    for (const line of option?.above ?? []) this.#dialogue.say(line)
    await this.#attempt(act, phone, option ? {assignment: option.value ?? ''} : {})
  }

  /** Asks what the act needs, until the service takes it or the person gives up. */
  async #attempt(act: Act, phone: OnPhone, given: Answers): Promise<void> {
    const offered = act.offers ? await this.#offered(act.offers, phone.opened) : []
    let [answers, isBack]: [Answers, boolean] = [{}, false]
    for (;;) {
      answers = {...given, ...(await this.#dialogue.answersTo(act, phone.opened, {before: answers, offered, isBack}))}
      if (act.words('', phone.opened.customer, answers).length === 0) return this.#dialogue.say('Nothing was changed.')
      const question = act.confirms?.(phone.opened, answers)
      // The letter of an act is the first of a name only where nothing was asked in between.
      const form = {typedBefore: act.asks ? '' : act.key, canGoBack: act.asks !== undefined}
      const isMeant = question === undefined || (await this.#dialogue.confirmed(question, form))
      isBack = isMeant === undefined
      if (isBack) continue
      if (!isMeant) return this.#dialogue.say('Nothing was done.')
      const isRefused = await this.#perform(act, phone, answers)
      if (!isRefused || act.asks === undefined) return
    }
  }

  /** Runs the act, again as long as the person says so. Returns whether a value was refused. */
  async #perform(act: Act, phone: OnPhone, answers: Answers): Promise<boolean> {
    const {service, session} = this.#options
    const onIntent = (): void => {
      session.owed = undefined
    }
    for (;;) {
      const words = {opened: phone.opened, answers}
      const ran = await this.#dialogue.during(act.label, service.run(act, words, phone.call, onIntent))
      phone.command = ran.command
      const {report} = ran
      if (!report) {
        await this.#succeeded(ran, phone, answers)
        return false
      }
      const again = await this.#failed(ran, report, phone)
      if (again === 'refused') return true
      if (again === undefined) return false
      if (!(await this.#dialogue.confirmed(again))) {
        if (!act.creates) this.#dialogue.show({kind: 'head', opened: phone.opened})
        return false
      }
    }
  }

  async #succeeded(ran: Ran, phone: OnPhone, answers: Answers): Promise<void> {
    const {act} = ran
    if (act.removes && !this.#options.policy.isDryRun) {
      this.#dialogue.clear()
      this.#dialogue.show({kind: 'result', ran})
      throw new NextCaller()
    }
    if (act.showsSecret) this.#dialogue.holdsSecret = true
    if (act.creates) return this.#openCreated(ran, act.creates(answers))
    if (!act.reads && (await this.#reread(phone, ran))) this.#dialogue.show({kind: 'head', opened: phone.opened})
    this.#dialogue.show({kind: 'result', ran})
    await this.#offerNext(act, phone)
  }

  async #openCreated(ran: Ran, email: string): Promise<void> {
    this.#dialogue.show({kind: 'result', ran})
    const holder = this.#options.policy.isDryRun ? undefined : await onlyHolder(this.#options.service, email)
    if (holder === undefined) return
    const {service, policy} = this.#options
    const opened = await this.#dialogue.during('reading the card', service.open(holder.id, false))
    if (opened !== undefined && 'customer' in opened) await this.#stay({opened, call: policy.given, isNoted: false})
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
        if (await this.#reread(phone)) this.#dialogue.show({kind: 'head', opened: phone.opened})
        break
      case unknownOutcome.code:
        this.#dialogue.show({kind: 'trouble', report})
        if (!(await this.#reread(phone))) return 'Try again?'
        this.#dialogue.show({kind: 'changes', before, after: phone.opened})
        return 'Nobody can tell whether it happened. Do it once more?'
      case conflict.code:
        if (report.code === 'DuplicateField') {
          this.#dialogue.show({kind: 'trouble', report})
          return this.#openHolder(report, phone)
        }
        if (report.code !== 'ConcurrentModification') break
        if (!(await this.#reread(phone))) return 'Try again?'
        this.#dialogue.show({kind: 'changes', before, after: phone.opened})
        return 'Somebody else changed this customer. Go on all the same?'
    }
    this.#dialogue.show({kind: 'trouble', report})
    if (code === unavailable.code || code === localState.code) return 'Try again?'
    return code === usage.code || code === invalid.code || code === conflict.code ? 'refused' : undefined
  }

  async #openHolder({details}: ErrorReport, {opened}: OnPhone): Promise<'refused'> {
    const taken = details.find((entry) => valueAt(entry, 'field') === 'email')
    const email = valueAt(taken, 'duplicateValue')
    const holder = typeof email === 'string' ? await onlyHolder(this.#options.service, email) : undefined
    if (holder === undefined || holder.id === opened.customer.id) return 'refused'
    const person = holder.label.replace(/ {2,}/g, ', ')
    if (await this.#dialogue.confirmed(`It is the email of ${person}. Open them?`)) throw new NextCaller('', holder.id)
    return 'refused'
  }

  /** Reads the customer again. Returns false where that fails, and says so. */
  async #reread(phone: OnPhone, ran?: Ran): Promise<boolean> {
    // Who could not be made is nobody to read.
    if (phone.opened.customer.id === '') return false
    const reading = this.#options.service.open(phone.opened.customer.id, phone.call.checked !== undefined)
    const opened = await this.#dialogue.during('reading the card', reading)
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
