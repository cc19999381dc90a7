import type {Command} from '@oclif/core'
import type {UpdateAction} from '../../domain/action.js'
import {capital} from '../../domain/equal.js'
import type {Quote, QuoteState} from '../../domain/quotes/quote.js'
import {quoteWrites} from '../command/operations.js'
import {expandFlags, type FlagValues, numberFlag, writeFlags} from '../input/flags.js'
import {moneyText} from '../output/money.js'
import type {Plan} from '../safety/door.js'
import {changeQuote, checkPending, messagesOf} from './answer.js'
import {parseQuoteRef, quoteArg, quoteOf} from './calls.js'
import {identityFlags} from './identity.js'
import {QuoteCommand} from './quote-command.js'
import {offerLines, quoteView} from './view.js'

/** Flags of what changes a quote. */
export const quoteWriteFlags = {
  ...identityFlags,
  version: numberFlag('Send this version instead of the one that is read.'),
  ...expandFlags,
  ...writeFlags,
}

/** Answers a quote: shows the offer, asks for confirmation, and sends the answer with the version that was shown. */
export abstract class AnswerCommand<T extends typeof Command> extends QuoteCommand<T> {
  static override operations = quoteWrites
  static override args = {ref: quoteArg}
  static override flags = quoteWriteFlags
  protected abstract readonly to: QuoteState
  /** For `would accept` and `accepted`. */
  protected abstract readonly verb: {readonly plain: string; readonly past: string}
  /** Whether it asks for confirmation, since the answer cannot be undone. */
  protected readonly asks: boolean = true

  protected async action(): Promise<UpdateAction> {
    return {action: 'changeMyQuoteState', quoteState: this.to}
  }

  /** Asks for missing parts of the action, after the offer was shown. */
  protected async completed(action: UpdateAction): Promise<UpdateAction> {
    return action
  }

  async run(): Promise<void> {
    const {version, expand} = this.flags as FlagValues<typeof quoteWriteFlags>
    const ref = parseQuoteRef((this.args as {readonly ref: string}).ref)
    const given = await this.action()
    const client = await this.client()
    const found = await quoteOf(client, ref)
    checkPending(found)
    const before = version === undefined ? found : {...found, version}
    const after = await this.effect({
      at: 'target',
      plan: () => this.#plan(before, given),
      confirm: () => this.#confirm(found),
      act: async (write) => {
        const action = await this.completed(given)
        const look = this.commandLine(['quotes', 'get', found.id])
        return changeQuote(write, {client, before: found, version, actions: [action], expand, look})
      },
    })
    if (!after) return
    await this.output.change(after, quoteView, [
      `${this.verb.past} ${after.key ?? after.id}: ${after.quoteState}, version ${before.version} → ${after.version}`,
    ])
  }

  async #confirm(quote: Quote): Promise<void> {
    const mustSee = this.asks && this.flags.yes !== true
    for (const line of offerLines(quote, this.io.clock())) {
      if (mustSee) this.stderr(line)
      else this.say(line)
    }
    if (!this.asks) return
    const verb = capital(this.verb.plain)
    const hasRunOut = quote.validTo !== undefined && Date.parse(quote.validTo) <= this.io.clock()
    const over = hasRunOut ? ' The offer HAS RUN OUT.' : ''
    await this.ask.confirm(`${verb} this quote for ${moneyText(quote.totalPrice)}?${over} It cannot be undone.`)
  }

  #plan(before: Quote, action: UpdateAction): Plan {
    const {id, version, quoteState} = before
    const messages = messagesOf([action])
    return [
      {id, version, quoteState, to: this.to, actions: [action], messages},
      [
        ...offerLines(before, this.io.clock()),
        `would ${this.verb.plain} it at version ${version}: ${quoteState} → ${this.to}`,
        `messages: ${messages.join(', ')}`,
      ].join('\n'),
    ]
  }
}
