import type {ChildProcess} from 'node:child_process'
import type {Faults} from '../http/faults.js'
import type {Processes} from '../processes.js'
import {changeClock, type TestClock} from '../stubs/test-clock.js'
import type {EntryCodes} from '../window/entry.js'
import {lastNumber, type PrimaryCalls, steadyMicroseconds, type WorkerCalls, type WorkerSlot} from './calls.js'
import {Channel} from './channel.js'

type ToWorker = Channel<WorkerCalls>

type CommonSlot = Omit<WorkerSlot, 'slot'>

/** The workers, as their primary process sees them, and what it keeps for them: faults on purpose and the clock. */
export class WorkerPool {
  readonly #common: CommonSlot
  readonly #faults: Faults
  readonly #clock: TestClock
  readonly #workers = new Map<ToWorker, ChildProcess>()
  /** Answers for all of them. */
  readonly processes: Processes

  constructor(common: CommonSlot, faults: Faults, clock: TestClock, entryCodes: EntryCodes) {
    this.#common = common
    this.#faults = faults
    this.#clock = clock
    this.processes = {
      status: async () => {
        const uses = new Map<string, number>()
        for (const part of await this.#each('deprecatedUses')) {
          for (const [id, count] of Object.entries(part)) uses.set(id, (uses.get(id) ?? 0) + count)
        }
        const workers = [...this.#workers.values()].flatMap(({pid}) => pid ?? [])
        return {pid: process.pid, workers, deprecatedUses: Object.fromEntries(uses)}
      },
      // A request that ends in one worker while another is being asked waits for the next question, so that whoever
      // follows misses none.
      requests: async (filter) => {
        const until = lastNumber(steadyMicroseconds(), this.#common)
        const parts = await this.#each('requests', {filter, until})
        const found = parts.flat().sort((a, b) => a.number - b.number)
        return found.slice(Math.max(0, found.length - (filter.limit ?? found.length)))
      },
      // Resolves when every worker knows whether to ask for faults. They are drawn here for all, so that a seed draws the
      // same ones and a rule strikes no oftener than it may.
      faults: async (plan) => {
        if (plan) {
          faults.set(plan)
          await this.#each('hasFaults', this.#hasFaults)
        }
        return faults.state
      },
      // Resolves when every worker goes by the new time.
      clock: async (change) => {
        if (change) {
          changeClock(clock, change)
          await this.#each('clock', clock.setting)
        }
        return clock.state
      },
      tokens: async (projectKey) => {
        const parts = await this.#each('tokens', projectKey)
        return parts.flat().sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1))
      },
      entryCode: async () => entryCodes.issue(),
      redeemed: async (code) => entryCodes.redeem(code),
      forget: async (projectKey) => void (await this.#each('forget', projectKey)),
    }
  }

  /** The channel to a worker that was started for a slot; `more` is asked of whoever started it. */
  channelTo(child: ChildProcess, slot: number, more: Pick<PrimaryCalls, 'listens' | 'doesNotStart'>): ToWorker {
    const answers: PrimaryCalls = {
      ...this.processes,
      ...more,
      slot: () => this.#take(channel, child, slot),
      drawFault: (operation) => this.#faults.draw(operation),
      failed: (failure) => {
        // The worker itself has counted it already.
        for (const other of this.#workers.keys()) if (other !== channel) other.tell('failed', failure)
      },
    }
    const channel: ToWorker = new Channel(child, answers)
    child.once('exit', () => this.#workers.delete(channel))
    return channel
  }

  /** From now on the worker is told of every change, and asked for its part of every answer. */
  #take(channel: ToWorker, child: ChildProcess, slot: number): WorkerSlot {
    this.#workers.set(channel, child)
    channel.tell('clock', this.#clock.setting)
    channel.tell('hasFaults', this.#hasFaults)
    return {...this.#common, slot}
  }

  get #hasFaults(): boolean {
    return this.#faults.state.rules.length > 0
  }

  /** What the workers answer; one that ends meanwhile has no part in it. */
  async #each<N extends keyof WorkerCalls>(name: N, ...argument: Parameters<WorkerCalls[N]>) {
    const calls = [...this.#workers.keys()].map((channel) => channel.call(name, ...argument))
    const answers = await Promise.allSettled(calls)
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
  }
}
