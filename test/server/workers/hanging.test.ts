import {type ChildProcess, fork} from 'node:child_process'
import {once} from 'node:events'
import {fileURLToPath} from 'node:url'
import {expect} from 'chai'
import type {WorkerCalls} from '../../../src/server/workers/calls.js'
import {Channel} from '../../../src/server/workers/channel.js'
import {Supervisor} from '../../../src/server/workers/supervisor.js'

const program = fileURLToPath(new URL('answering-worker.mjs', import.meta.url))

/** A supervisor of processes that do nothing but answer. Its timers fire when the test says so. */
function supervised(workers: number) {
  const log: string[] = []
  const children: ChildProcess[] = []
  const timers = new Set<() => void>()
  /** The pings that were answered so far, by process. */
  const answers = new Map<ChildProcess, Promise<void>>()
  const supervisor = new Supervisor({
    workers,
    fork: (_, events) => {
      const child = fork(program, {execArgv: [], stdio: 'ignore'})
      const channel = new Channel<WorkerCalls>(child as never, {})
      children.push(child)
      child.once('spawn', () => events.listens())
      child.once('exit', (code, signal) => events.ended(`was ended by ${signal ?? code}`))
      return {
        pid: child.pid ?? 0,
        drain: () => child.disconnect(),
        ping: (answered) => {
          const answer = channel.call('ping').then(answered, () => undefined)
          answers.set(child, answer)
        },
        kill: () => void child.kill('SIGKILL'),
      }
    },
    now: () => 0,
    after: (_, action) => {
      timers.add(action)
      return () => timers.delete(action)
    },
    log: (line) => log.push(line),
    onFailed: () => undefined,
  })
  const fire = (): void => {
    for (const action of [...timers]) {
      timers.delete(action)
      action()
    }
  }
  return {supervisor, log, children, answers, fire}
}

describe('server · workers · one that hangs', () => {
  it('is killed when it does not answer any more, though its process lives, and another one takes its place', async function () {
    if (process.platform === 'win32') this.skip()
    const {supervisor, log, children, answers, fire} = supervised(2)
    try {
      await supervisor.start()
      const [stopped, other] = children as [ChildProcess, ChildProcess]
      await Promise.all(answers.values())
      stopped.kill('SIGSTOP')
      const ended = once(stopped, 'exit')
      for (let ping = 0; ping < 6; ping += 1) {
        fire()
        await answers.get(other)
        expect(log, `after ${ping + 1} pings`).to.deep.equal([])
      }
      fire()
      await ended
      fire()
      await once(children.at(-1) as ChildProcess, 'spawn')
      expect(other.exitCode ?? other.signalCode, 'the one that answers').to.equal(null)
      expect(supervisor.pids).to.deep.equal([children.at(-1)?.pid, other.pid])
      expect(log).to.deep.equal([
        `worker 1 (process ${stopped.pid}) has hung for 30 seconds and is killed`,
        `worker 1 (process ${stopped.pid}) was ended by SIGKILL; another takes its place in 100 ms`,
        `worker 1 is process ${children.at(-1)?.pid} now`,
      ])
    } finally {
      const stopping = supervisor.stop()
      for (const child of children) child.kill('SIGKILL')
      await stopping
    }
  })
})
