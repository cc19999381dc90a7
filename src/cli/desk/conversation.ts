import {Closed, WentBack} from '../input/keys.js'
import {Dialogue, NextCaller} from './dialogue.js'
import {nobody} from './new-customer.js'
import type {Session} from './noting.js'
import {type CallOptions, PhoneCall} from './phone-call.js'
import {newCustomer, type Prompter} from './prompter.js'
import type {Block} from './shown.js'

interface ConversationOptions extends Omit<CallOptions, 'dialogue' | 'session'> {
  readonly prompter: Prompter
  readonly textOf: (block: Block) => string
  readonly shown: (text: string) => string
}

/** A session: `hold` serves callers from a first search on, until the person ends it. */
export function conversing({prompter, textOf, shown, ...options}: ConversationOptions) {
  const session: Session = {}
  const dialogue = new Dialogue(prompter, textOf, shown)
  const call = new PhoneCall({...options, dialogue, session})
  /** Serves one caller. Returns what the next search begins with. */
  const nextCall = async ({typed, id}: NextCaller): Promise<NextCaller> => {
    let about = typed
    try {
      const search = {message: 'Who is calling?', typed, find: options.service.find}
      const picked = id === undefined ? await dialogue.answered(prompter.search(search)) : {id, typed}
      about = picked.typed
      if (picked.id === newCustomer) await call.create(nobody(picked.typed))
      else await call.serve(picked.id)
      return new NextCaller(about)
    } catch (error) {
      if (error instanceof NextCaller) return error
      if (!(error instanceof WentBack)) throw error
      dialogue.sayBack()
      return new NextCaller(about)
    } finally {
      session.owed?.()
    }
  }
  /** Notes what the call was about, and takes what was shown once off the screen. */
  const close = (): void => {
    session.owed?.()
    dialogue.clear()
  }
  const hold = async (typed: string): Promise<void> => {
    let next = new NextCaller(typed)
    try {
      for (;;) next = await nextCall(next)
    } catch (error) {
      if (!(error instanceof Closed)) throw error
    } finally {
      close()
    }
  }
  return {hold, close}
}
