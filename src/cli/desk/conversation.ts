import {Closed, WentBack} from '../input/keys.js'
import {Dialogue, NextCaller} from './dialogue.js'
import {nobody} from './new-customer.js'
import {type CallOptions, PhoneCall} from './phone-call.js'
import {newCustomer} from './prompter.js'
import type {Block} from './shown.js'

interface ConversationOptions extends Omit<CallOptions, 'dialogue' | 'session'> {
  readonly textOf: (block: Block) => string
  readonly shown: (text: string) => string
}

export class Conversation {
  readonly #options: ConversationOptions
  readonly #dialogue: Dialogue
  readonly #session: CallOptions['session'] = {}

  constructor(options: ConversationOptions) {
    this.#options = options
    this.#dialogue = new Dialogue(options.prompter, options.textOf, options.shown)
  }

  /** Notes what the call was about, and takes what was shown once off the screen. */
  close(): void {
    this.#session.owed?.()
    this.#dialogue.clear()
  }

  async hold(typed: string): Promise<void> {
    let next = new NextCaller(typed)
    try {
      for (;;) next = await this.#nextCall(next)
    } catch (error) {
      if (!(error instanceof Closed)) throw error
    } finally {
      this.close()
    }
  }

  /** Serves one caller. Returns what the next search begins with. */
  async #nextCall({typed, id}: NextCaller): Promise<NextCaller> {
    const {prompter, service} = this.#options
    let about = typed
    try {
      const search = {message: 'Who is calling?', typed, find: service.find}
      const picked = id === undefined ? await this.#dialogue.answered(prompter.search(search)) : {id, typed}
      about = picked.typed
      const call = new PhoneCall({...this.#options, dialogue: this.#dialogue, session: this.#session})
      if (picked.id === newCustomer) await call.create(nobody(picked.typed))
      else await call.serve(picked.id)
      return new NextCaller(about)
    } catch (error) {
      if (error instanceof NextCaller) return error
      if (!(error instanceof WentBack)) throw error
      this.#dialogue.sayBack()
      return new NextCaller(about)
    } finally {
      this.#session.owed?.()
    }
  }
}
