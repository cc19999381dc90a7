import {defined} from '../../domain/equal.js'

/** Calls between the processes of one server, over the channel that Node opens to a child. */

/** What a process answers, by name. */
// biome-ignore lint/suspicious/noExplicitAny: each name has an argument of its own
export type Calls = Readonly<Record<string, (argument: any) => unknown>>

/** The other end: a child process, or this one for its parent. */
export interface Port {
  readonly connected: boolean
  send(message: object, sent: (error: Error | null) => void): void
  on(event: 'message', heard: (message: unknown) => void): void
  once(event: 'disconnect', gone: () => void): void
}

interface Message {
  readonly call?: string
  /** Absent: nobody waits for an answer. */
  readonly id?: number
  readonly argument?: unknown
  readonly answer?: number
  readonly value?: unknown
  readonly failure?: string
}

/** A local call takes milliseconds; what takes longer hangs. */
const patienceMs = 5_000

interface Waiting {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
  readonly timer: NodeJS.Timeout
}

type ArgumentOf<C extends Calls, N extends keyof C> = Parameters<C[N]>[0]

export class Channel<Remote extends Calls> {
  readonly #port: Port
  readonly #waiting = new Map<number, Waiting>()
  #lastId = 0

  constructor(port: Port, answers: Calls) {
    this.#port = port
    port.on('message', (message) => void this.#heard(message as Message, answers))
    port.once('disconnect', () => {
      for (const {reject, timer} of this.#waiting.values()) {
        clearTimeout(timer)
        reject(new Error('the other process has ended'))
      }
      this.#waiting.clear()
    })
  }

  /** Throws if the other process ends, or does not answer within five seconds. */
  call<N extends keyof Remote & string>(
    name: N,
    argument: ArgumentOf<Remote, N>,
  ): Promise<Awaited<ReturnType<Remote[N]>>> {
    return new Promise((resolve, reject) => {
      this.#lastId += 1
      const id = this.#lastId
      const failed = (error: Error) => {
        const waiting = this.#waiting.get(id)
        clearTimeout(waiting?.timer)
        this.#waiting.delete(id)
        reject(error)
      }
      const timer = setTimeout(() => failed(new Error(`the other process did not answer '${name}'`)), patienceMs)
      this.#waiting.set(id, {resolve: resolve as (value: unknown) => void, reject, timer})
      this.#send({call: name, id, argument}, failed)
    })
  }

  /** The same where nothing depends on it. */
  tell<N extends keyof Remote & string>(name: N, argument: ArgumentOf<Remote, N>): void {
    this.#send({call: name, argument})
  }

  #send(message: Message, failed: (error: Error) => void = () => undefined): void {
    if (!this.#port.connected) {
      failed(new Error('the other process has ended'))
      return
    }
    this.#port.send(message, (error) => {
      if (error) failed(error)
    })
  }

  async #heard(message: Message, answers: Calls): Promise<void> {
    const {call, id, answer} = message
    if (answer !== undefined) {
      const waiting = this.#waiting.get(answer)
      this.#waiting.delete(answer)
      clearTimeout(waiting?.timer)
      if (message.failure === undefined) waiting?.resolve(message.value)
      else waiting?.reject(new Error(message.failure))
      return
    }
    if (call === undefined) return
    try {
      const value = await answers[call]?.(message.argument)
      if (id !== undefined) this.#send({answer: id, ...defined({value})})
    } catch (error) {
      if (id !== undefined) this.#send({answer: id, failure: error instanceof Error ? error.message : String(error)})
    }
  }
}
