import type {ChildProcess} from 'node:child_process'
import {defined} from '../../domain/equal.js'

/** Calls between the processes of one server, over the channel that Node opens to a child. */

/** What a process answers, by name. Each takes one argument, or none. */
// biome-ignore lint/suspicious/noExplicitAny: each name has an argument of its own
type Calls<C> = {readonly [N in keyof C]: (argument: any) => unknown}

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

export class Channel<Remote extends Calls<Remote>> {
  readonly #port: ChildProcess
  readonly #waiting = new Map<number, Waiting>()
  #lastId = 0

  /** `port` is the other end: a child process, or this one for its parent. */
  constructor(port: ChildProcess, answers: object) {
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
    ...[argument]: Parameters<Remote[N]>
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
  tell<N extends keyof Remote & string>(name: N, ...[argument]: Parameters<Remote[N]>): void {
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

  async #heard(message: Message, answers: object): Promise<void> {
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
      const value: unknown = await (answers as Calls<Record<string, unknown>>)[call]?.(message.argument)
      if (id !== undefined) this.#send({answer: id, ...defined({value})})
    } catch (error) {
      if (id !== undefined) this.#send({answer: id, failure: error instanceof Error ? error.message : String(error)})
    }
  }
}
