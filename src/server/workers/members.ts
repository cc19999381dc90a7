import type {ChildProcess} from 'node:child_process'
import type {MadeToken} from '../../api/operation/context.js'
import type {FaultPlan, Faults} from '../http/faults.js'
import type {ProcessStatus} from '../processes.js'
import type {RequestFilter, RequestView} from '../requests/request-view.js'
import {type ClockChange, changeClock, type TestClock} from '../stubs/test-clock.js'
import type {EntryCodes} from '../window/entry.js'
import {lastNumber, type PrimaryCalls, steadyMicroseconds, type WorkerCalls, type WorkerSeat} from './calls.js'
import {Channel, type Port} from './channel.js'

type ToWorker = Channel<WorkerCalls>

type CommonSeat = Omit<WorkerSeat, 'seat'>

/** The workers, as their primary process sees them, and what it keeps for them: faults on purpose and the clock. */
export class Members {
  readonly #seat: CommonSeat
  readonly #faults: Faults
  readonly #clock: TestClock
  readonly #entryCodes: EntryCodes
  readonly #workers = new Map<ToWorker, ChildProcess>()

  constructor(seat: CommonSeat, faults: Faults, clock: TestClock, entryCodes: EntryCodes) {
    this.#seat = seat
    this.#faults = faults
    this.#clock = clock
    this.#entryCodes = entryCodes
  }

  /** The channel to a worker that was started for a seat; `more` is asked of whoever started it. */
  channelTo(child: ChildProcess, seat: number, more: Pick<PrimaryCalls, 'listens' | 'doesNotStart'>): ToWorker {
    const answers: PrimaryCalls = {
      ...more,
      seat: () => this.#take(channel, child, seat),
      status: () => this.status(),
      requests: (filter) => this.requests(filter),
      faults: (plan) => this.faults(plan),
      drawFault: (operation) => this.#faults.draw(operation),
      clock: (change) => this.clock(change),
      tokens: (projectKey) => this.tokens(projectKey),
      entryCode: () => this.#entryCodes.issue(),
      redeemed: (code) => this.#entryCodes.redeem(code),
      failed: (failure) => {
        // The worker itself has counted it already.
        for (const other of this.#workers.keys()) if (other !== channel) other.tell('failed', failure)
      },
    }
    const channel: ToWorker = new Channel(portOf(child), answers)
    child.once('exit', () => this.#workers.delete(channel))
    return channel
  }

  /** From now on the worker is told of every change, and asked for its part of every answer. */
  #take(channel: ToWorker, child: ChildProcess, seat: number): WorkerSeat {
    this.#workers.set(channel, child)
    channel.tell('clock', this.#clock.setting)
    channel.tell('hasFaults', this.#hasFaults)
    return {...this.#seat, seat}
  }

  async status(): Promise<ProcessStatus> {
    const uses = new Map<string, number>()
    for (const part of await this.#each('deprecatedUses', null)) {
      for (const [id, count] of Object.entries(part)) uses.set(id, (uses.get(id) ?? 0) + count)
    }
    const workers = [...this.#workers.values()].flatMap(({pid}) => pid ?? [])
    return {pid: process.pid, workers, deprecatedUses: Object.fromEntries(uses)}
  }

  /**
   * In the order in which they ended. One that ends in one worker while another is being asked waits for the next question,
   * so that whoever follows misses none.
   */
  async requests(filter: RequestFilter): Promise<RequestView[]> {
    const until = lastNumber(steadyMicroseconds(), this.#seat)
    const parts = await this.#each('requests', {filter, until})
    const found = parts.flat().sort((a, b) => a.number - b.number)
    return found.slice(Math.max(0, found.length - (filter.limit ?? found.length)))
  }

  /** The newest first. */
  async tokens(projectKey: string): Promise<MadeToken[]> {
    const parts = await this.#each('tokens', projectKey)
    return parts.flat().sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1))
  }

  /**
   * Resolves when every worker knows whether to ask for faults. They are drawn here for all, so that a seed draws the same
   * ones and a rule strikes no oftener than it may.
   */
  async faults(plan: FaultPlan | null): Promise<Faults['state']> {
    if (plan) {
      this.#faults.set(plan)
      await this.#each('hasFaults', this.#hasFaults)
    }
    return this.#faults.state
  }

  /** Resolves when every worker goes by the new time. */
  async clock(change: ClockChange | null): Promise<TestClock['state']> {
    if (change) {
      changeClock(this.#clock, change)
      await this.#each('clock', this.#clock.setting)
    }
    return this.#clock.state
  }

  get #hasFaults(): boolean {
    return this.#faults.state.rules.length > 0
  }

  /** What the workers answer; one that ends meanwhile has no part in it. */
  async #each<N extends keyof WorkerCalls>(name: N, argument: Parameters<WorkerCalls[N]>[0]) {
    const answers = await Promise.allSettled([...this.#workers.keys()].map((channel) => channel.call(name, argument)))
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
  }
}

const portOf = (child: ChildProcess): Port => ({
  get connected() {
    return child.connected
  },
  send: (message, sent) => void child.send(message, sent),
  on: (event, heard) => void child.on(event, heard),
  once: (event, gone) => void child.once(event, gone),
})
