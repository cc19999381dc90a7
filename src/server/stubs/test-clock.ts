import * as v from 'valibot'

/** A clock for tests: the real time plus an offset, or frozen. */
export class TestClock {
  readonly #real: () => number
  #offsetMs = 0
  #frozenAt: number | undefined

  constructor(real: () => number) {
    this.#real = real
  }

  /** Milliseconds since the epoch. */
  readonly now = (): number => this.#frozenAt ?? this.#real() + this.#offsetMs

  advance(milliseconds: number): void {
    if (this.#frozenAt !== undefined) this.#frozenAt += milliseconds
    this.#offsetMs += milliseconds
  }

  freeze(at: number): void {
    this.#frozenAt = at
    this.#offsetMs = at - this.#real()
  }

  /** Returns to the real time; tokens that expired by the test clock are valid again if they really are. */
  real(): void {
    this.#frozenAt = undefined
    this.#offsetMs = 0
  }

  change(change: ClockChange): TestClock['state'] {
    if (change.do === 'advance') this.advance(change.milliseconds)
    else if (change.do === 'real') this.real()
    else this.freeze(change.at === undefined ? this.now() : Date.parse(change.at))
    return this.state
  }

  get state(): {now: string; mode: 'real' | 'moved' | 'frozen'} {
    const mode = this.#frozenAt !== undefined ? 'frozen' : this.#offsetMs === 0 ? 'real' : 'moved'
    return {now: new Date(this.now()).toISOString(), mode}
  }
}

const maxMs = 400 * 366 * 86_400_000

/** The commands of the administration to the clock. */
export const ClockChange = v.variant('do', [
  v.object({
    do: v.literal('advance'),
    milliseconds: v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(maxMs)),
  }),
  v.object({do: v.literal('freeze'), at: v.exactOptional(v.pipe(v.string(), v.isoTimestamp()))}),
  v.object({do: v.literal('real')}),
])

export type ClockChange = v.InferOutput<typeof ClockChange>
