import {expect} from 'chai'
import {StateError} from '../../../src/domain/errors.js'
import {Supervisor, type WorkerEvents} from '../../../src/server/workers/supervisor.js'

/** Processes that do what they are told, and a clock that moves when somebody waits. */
class Machine {
  now = 0
  readonly forked: {
    seat: number
    events: WorkerEvents
    pid: number
    drained: boolean
    killed: boolean
    pings: (() => void)[]
  }[] = []
  readonly log: string[] = []
  readonly failures: Error[] = []
  readonly #timers = new Set<{at: number; action: () => void}>()
  readonly supervisor: Supervisor

  constructor(workers: number) {
    this.supervisor = new Supervisor({
      workers,
      fork: (seat, events) => {
        const made: (typeof this.forked)[number] = {
          seat,
          events,
          pid: 100 + this.forked.length,
          drained: false,
          killed: false,
          pings: [],
        }
        this.forked.push(made)
        return {
          pid: made.pid,
          drain: () => {
            made.drained = true
          },
          ping: (answered) => made.pings.push(answered),
          kill: () => {
            made.killed = true
          },
        }
      },
      now: () => this.now,
      after: (milliseconds, action) => {
        const timer = {at: this.now + milliseconds, action}
        this.#timers.add(timer)
        return () => this.#timers.delete(timer)
      },
      log: (line) => this.log.push(line),
      onFailed: (error) => this.failures.push(error),
    })
  }

  get last() {
    const last = this.forked.at(-1)
    if (!last) throw new Error('nothing was forked')
    return last
  }

  /** All listen. */
  async running(): Promise<this> {
    const started = this.supervisor.start()
    for (const {events} of this.forked) events.listens()
    await started
    return this
  }

  pass(milliseconds: number): void {
    this.now += milliseconds
    for (const timer of [...this.#timers].filter(({at}) => at <= this.now)) {
      this.#timers.delete(timer)
      timer.action()
    }
  }
}

describe('server · workers · supervisor', () => {
  it('has started when all listen', async () => {
    const machine = new Machine(2)
    let hasStarted = false
    const started = machine.supervisor.start().then(() => {
      hasStarted = true
    })
    machine.forked[0]?.events.listens()
    await Promise.resolve()
    expect(hasStarted).to.equal(false)
    machine.forked[1]?.events.listens()
    await started
    expect(machine.supervisor.pids).to.deep.equal([100, 101])
  })

  it('does not start if one cannot listen, and ends the other before it says so', async () => {
    const machine = new Machine(2)
    const failure = machine.supervisor.start().catch((error: unknown) => error)
    const [one, other] = machine.forked
    one?.events.listens()
    other?.events.doesNotStart(new StateError('StateUnusable', 'The port 80 is in use.', 'port', 'Choose another'))
    other?.events.ended('ended with code 0')
    await Promise.resolve()
    await Promise.resolve()
    expect(one?.drained).to.equal(true)
    one?.events.ended('ended with code 0')
    expect(await failure)
      .to.be.instanceOf(StateError)
      .with.property('message', 'The port 80 is in use.')
    expect(machine.forked).to.have.length(2)
  })

  it('kills one that says nothing, and names it', async () => {
    const machine = new Machine(1)
    const failure = machine.supervisor.start().catch((error: unknown) => error)
    machine.pass(30_000)
    expect(machine.last.killed).to.equal(true)
    machine.last.events.ended('was ended by SIGKILL')
    expect(await failure).to.be.instanceOf(StateError)
    expect(String(await failure)).to.match(/worker 1 \(process 100\) did not start: it did not listen within 30 s/)
  })

  it('replaces a steady one at once and says how it ended', async () => {
    const machine = await new Machine(2).running()
    machine.pass(10_000)
    machine.forked[0]?.events.ended('was ended by SIGKILL')
    expect(machine.supervisor.pids).to.deep.equal([101])
    machine.pass(0)
    expect(machine.last).to.include({seat: 0, pid: 102})
    machine.last.events.listens()
    expect(machine.supervisor.pids).to.deep.equal([102, 101])
    expect(machine.log).to.deep.equal([
      'worker 1 (process 100) was ended by SIGKILL; another takes its place',
      'worker 1 is process 102 now',
    ])
  })

  it('replaces one that ends early again and again ever more slowly, while another listens', async () => {
    const machine = await new Machine(2).running()
    const delays: number[] = []
    for (let times = 0; times < 12; times += 1) {
      const before = machine.forked.length
      machine.forked.findLast(({seat}) => seat === 1)?.events.ended('ended with code 1')
      const from = machine.now
      while (machine.forked.length === before) machine.pass(100)
      delays.push(machine.now - from)
    }
    expect(delays).to.deep.equal([100, 200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000, 30_000])
    expect(machine.failures).to.deep.equal([])
    machine.last.events.listens()
    machine.pass(10_000)
    machine.last.events.ended('ended with code 1')
    machine.pass(0)
    expect(machine.log.at(-1)).to.match(/another takes its place$/)
  })

  it('gives up when none listens and the same one has failed five times', async () => {
    const machine = await new Machine(1).running()
    for (let times = 1; times <= 5; times += 1) {
      expect(machine.failures, `after ${times - 1}`).to.deep.equal([])
      machine.last.events.ended('ended with code 70')
      machine.pass(30_000)
    }
    expect(machine.failures).to.have.length(1)
    expect(machine.failures[0]?.message).to.match(/no workers: worker 1 \(process 104\) ended with code 70/)
    expect(machine.forked).to.have.length(5)
    await machine.supervisor.stop()
  })

  it('kills one that answers none of six pings, and no other', async () => {
    const machine = await new Machine(2).running()
    const [one, other] = machine.forked
    for (let pings = 1; pings <= 6; pings += 1) {
      expect([one?.pings.length, other?.pings.length, one?.killed]).to.deep.equal([pings, pings, false])
      other?.pings.at(-1)?.()
      machine.pass(5_000)
    }
    expect([one?.killed, other?.killed]).to.deep.equal([true, false])
    one?.events.ended('was ended by SIGKILL')
    machine.pass(0)
    machine.last.events.listens()
    one?.pings.at(-1)?.()
    expect(machine.last.pings).to.have.length(1)
    expect(machine.log).to.deep.equal([
      'worker 1 (process 100) has hung for 30 seconds and is killed',
      'worker 1 (process 100) was ended by SIGKILL; another takes its place',
      'worker 1 is process 102 now',
    ])
  })

  it('leaves one alone that answers late, or after the machine has slept', async () => {
    const machine = await new Machine(1).running()
    for (let times = 0; times < 3; times += 1) {
      for (let pings = 0; pings < 5; pings += 1) machine.pass(5_000)
      machine.last.pings.at(-1)?.()
    }
    machine.pass(24 * 3_600_000)
    expect(machine.last.killed).to.equal(false)
  })

  it('drains all at its end, replaces none, and kills who takes too long', async () => {
    const machine = await new Machine(3).running()
    machine.forked[2]?.events.ended('was ended by SIGSEGV')
    const stopped = machine.supervisor.stop()
    expect(machine.supervisor.stop()).to.equal(stopped)
    const [one, other] = machine.forked
    expect([one?.drained, other?.drained]).to.deep.equal([true, true])
    one?.events.ended('ended with code 0')
    machine.pass(10_000)
    expect([one?.killed, other?.killed]).to.deep.equal([false, true])
    other?.events.ended('was ended by SIGKILL')
    await stopped
    machine.pass(60_000)
    expect(machine.forked).to.have.length(3)
  })
})
