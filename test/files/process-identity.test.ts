import {type ChildProcess, spawn} from 'node:child_process'
import {once} from 'node:events'
import {expect} from 'chai'
import {
  identityIn,
  linux,
  liveness,
  type ProcessTable,
  parsedIdentity,
  parseProcStat,
  parsePs,
  thisProcess,
  unix,
} from '../../src/files/process-identity.js'

const onLinux = process.platform === 'linux'

/**
 * A child that was killed and whose parent never asks for its end. The parent is a shell that became `sleep`, which
 * knows nothing of a child.
 */
async function zombie(): Promise<{readonly pid: number; readonly startTime: string; readonly parent: ChildProcess}> {
  const parent = spawn('sh', ['-c', 'sleep 60 & echo $!; exec sleep 60'], {stdio: ['ignore', 'pipe', 'ignore']})
  const [line] = (await once(parent.stdout as NodeJS.ReadableStream, 'data')) as [Buffer]
  const pid = Number(String(line))
  const {startTime} = linux.stateOf(pid)
  // Not before the shell has become `sleep`, or it would take notice of the end.
  for (let tries = 0; tries < 5000 && !(await commandOf(parent.pid)).startsWith('sleep'); tries++) await turn()
  process.kill(pid, 'SIGKILL')
  for (let tries = 0; tries < 5000 && !linux.stateOf(pid).isZombie; tries++) await turn()
  return {pid, startTime, parent}
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

async function commandOf(pid: number | undefined): Promise<string> {
  const {readFile} = await import('node:fs/promises')
  return readFile(`/proc/${pid}/comm`, 'utf8')
}

describe('files · process identity', () => {
  it('tells the living from the dead and from those that cannot be seen', () => {
    const me = thisProcess()
    expect(liveness(me)).to.equal('alive')
    expect(liveness({...me, pid: 2 ** 22 + 1})).to.equal('dead')
    if (!onLinux) return
    expect(liveness({...me, startTime: '1'}), 'the id was used again').to.equal('dead')
    expect(liveness({...me, bootId: 'before'})).to.equal('dead')
    expect(liveness({...me, bootId: 'other', host: 'elsewhere'})).to.equal('unknown')
    expect(liveness({...me, namespace: 'pid:[1]'})).to.equal('unknown')
    expect(liveness({...me, namespace: 'pid:[1]', bootId: 'before'}), 'a container').to.equal('unknown')
    expect(liveness({...me, host: 'renamed'}), 'the same boot').to.equal('alive')
  })

  it('counts a process that was killed but not reaped as dead', async function () {
    if (!onLinux) this.skip()
    const {pid, startTime, parent} = await zombie()
    try {
      process.kill(pid, 0)
      expect(linux.stateOf(pid)).to.deep.equal({startTime, isZombie: true})
      expect(liveness({...thisProcess(), pid, startTime})).to.equal('dead')
    } finally {
      parent.kill('SIGKILL')
    }
  })

  it('reads a command name with spaces and parentheses', () => {
    const fields = Array.from({length: 49}, (_, index) => `${index + 4}`)
    expect(parseProcStat(`42 (a) b (c)) S ${fields.join(' ')}\n`)).to.deep.equal({startTime: '22', isZombie: false})
    expect(parseProcStat(`42 (x) Z ${fields.join(' ')}\n`)).to.deep.equal({startTime: '22', isZombie: true})
    expect(parseProcStat('')).to.deep.equal({startTime: '', isZombie: false})
  })

  it('reads what ps says, of a zombie too', () => {
    const date = 'Sat Nov 7 23:31:58 2026'
    expect(parsePs('Ss   Sat Nov  7 23:31:58 2026    \n')).to.deep.equal({startTime: date, isZombie: false})
    expect(parsePs('Z+   Sat Nov  7 23:31:58 2026\n')).to.deep.equal({startTime: date, isZombie: true})
    expect(parsePs('')).to.deep.equal({startTime: '', isZombie: false})
  })

  it('asks the ps of this machine, which has the start of every process', () => {
    const me = unix.stateOf(process.pid)
    expect(Date.parse(`${me.startTime} UTC`)).to.be.closeTo(Date.now() - process.uptime() * 1000, 5000)
    expect(unix.stateOf(process.pid), 'the same each time').to.deep.equal(me)
    expect(unix.stateOf(2 ** 22 + 1)).to.deep.equal({startTime: '', isZombie: false})
    expect(liveness(identityIn(unix), unix)).to.equal('alive')
    expect(liveness({...identityIn(unix), startTime: 'Sat Nov 7 23:31:58 1998'}, unix)).to.equal('dead')
  })

  it('does not compare what a platform cannot tell', () => {
    const bare: ProcessTable = {
      exists: (pid) => pid === process.pid,
      stateOf: () => ({startTime: '', isZombie: false}),
      bootId: () => '',
      namespace: () => '',
    }
    const me = identityIn(bare)
    expect(liveness(me, bare)).to.equal('alive')
    expect(liveness({...me, pid: 1}, bare)).to.equal('dead')
    expect(liveness({...me, host: 'elsewhere'}, bare)).to.equal('unknown')
  })

  it('takes nothing else for an identity', () => {
    const me = thisProcess()
    expect(parsedIdentity(JSON.parse(JSON.stringify(me)))).to.deep.equal(me)
    for (const value of [
      null,
      1,
      'x',
      [],
      {},
      {pid: process.pid},
      {...me, pid: 0},
      {...me, pid: -1},
      {...me, host: 1},
    ]) {
      expect(parsedIdentity(value), JSON.stringify(value)).to.equal(undefined)
    }
  })
})
