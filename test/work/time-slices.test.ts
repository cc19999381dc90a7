import {expect} from 'chai'
import {Scans} from '../../src/store/adapter/scans.js'
import {nextTurn, sliceMs, spendTurn, timeSlices} from '../../src/work/time-slices.js'

describe('time slices', () => {
  /** More than anybody works. */
  const longMs = 3_600_000
  const {now} = performance
  let time = 0

  beforeEach(() => {
    time = now.call(performance)
    performance.now = () => time
  })
  afterEach(() => {
    performance.now = now
  })

  it('are one for many tasks of one turn, however little each of them does', async () => {
    await nextTurn()
    expect(timeSlices(longMs)()).to.equal(undefined)
    time += sliceMs
    const late = timeSlices(longMs)()
    expect(late).to.be.instanceOf(Promise)
    await late
    await nextTurn()
    expect(timeSlices(longMs)(), 'in the next turn').to.equal(undefined)
  })

  it('are shared again by queries that have all waited for the same', async () => {
    const scan = new Scans({clock: () => 0, cpu: () => 0}).begin(() => '')
    await nextTurn()
    await scan.wait(Promise.resolve())
    spendTurn()
    const waiting = scan.step()
    expect(waiting).to.be.instanceOf(Promise)
    await waiting
    spendTurn()
    expect(scan.step(), 'in a turn of its own').to.equal(undefined)
  })

  it('are one for all tasks that begin in the same turn', async () => {
    const scans = new Scans({clock: () => 0, cpu: () => 0})
    const stepping = () => {
      const scan = scans.begin(() => '')
      return () => scan.step()
    }
    const begin = {task: () => timeSlices(longMs), scan: stepping}
    await nextTurn()
    for (const later of Object.values(begin)) {
      expect([begin.task()(), begin.scan()()], 'while there is time').to.deep.equal([undefined, undefined])
      const running = later()
      const spent = timeSlices(-1)()
      const waiting = later()()
      expect(waiting).to.be.instanceOf(Promise)
      await Promise.all([spent, waiting, nextTurn()])
      expect([running(), later()()], 'in the next turn').to.deep.equal([undefined, undefined])
    }
  })
})
