import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {expect} from 'chai'
import {type FileLock, type LockContent, type LockDisk, lockDisk, tryLock, withLock} from '../../src/files/file-lock.js'
import {thisProcess} from '../../src/files/process-identity.js'

/** What a process would have written that had our id before us. */
const predecessor = (nonce = 'old') => JSON.stringify({...thisProcess(), startTime: '1', nonce})

/** Makes a file as old as one that a task of milliseconds cannot be at work under. */
const age = (path: string): void => utimesSync(path, 1, 1)

class Died extends Error {}

describe('files · lock', () => {
  let folder = ''
  let path = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'frontdesk-lock-'))
    path = join(folder, 'LOCK')
  })
  afterEach(() => rmSync(folder, {recursive: true}))

  function taken(lock: FileLock | LockContent): FileLock {
    if (!('release' in lock)) throw new Error(`held by ${JSON.stringify(lock)}`)
    return lock
  }

  it('is held by one until it is given back', () => {
    const lock = taken(tryLock(path))
    expect(tryLock(path)).to.deep.include({
      holder: JSON.parse(readFileSync(path, 'utf8')),
    })
    lock.release()
    expect(readdirSync(folder)).to.deep.equal([])
    taken(tryLock(path)).release()
  })

  for (const [what, text] of [
    ['a process that ended', JSON.stringify({...thisProcess(), pid: 2 ** 22 + 1, nonce: 'n'})],
    ['a process whose id another one has now', predecessor()],
    ['nobody, a while ago: the id of a process that always runs', '1'],
    ['nobody, a while ago: a name that leads elsewhere', predecessor('../x')],
    ['nobody, a while ago: an empty file', ''],
  ] as const) {
    it(`is taken from ${what}`, () => {
      writeFileSync(path, text)
      if (what.startsWith('nobody')) age(path)
      const lock = taken(tryLock(path))
      expect(JSON.parse(readFileSync(path, 'utf8'))).to.include({pid: process.pid})
      lock.release()
      expect(readdirSync(folder)).to.deep.equal([])
    })
  }

  it('is not taken from a living process, and from one that cannot be told only after a while', () => {
    writeFileSync(path, JSON.stringify({...thisProcess(), nonce: 'n'}))
    age(path)
    expect(tryLock(path)).to.deep.include({nonce: 'n'})
    for (const text of ['', JSON.stringify({...thisProcess(), namespace: 'pid:[1]', nonce: 'n'})]) {
      writeFileSync(path, text)
      expect('release' in tryLock(path), text).to.equal(false)
      age(path)
      taken(tryLock(path)).release()
      writeFileSync(path, text)
      // From before the clock went back.
      utimesSync(path, Date.now() / 1000 + 3600, Date.now() / 1000 + 3600)
      taken(tryLock(path)).release()
    }
  })

  it('has an age by the clock of the system, which never jumps, where its holder is of this boot', () => {
    const up = Number(process.hrtime.bigint() / 1_000_000n)
    const written = (ageMs: number) =>
      writeFileSync(path, JSON.stringify({...thisProcess(), namespace: 'pid:[1]', nonce: 'n', upMs: up - ageMs}))
    written(1000)
    // The clock of the day has jumped, in either direction.
    for (const seconds of [1, Date.now() / 1000 + 86_400]) {
      utimesSync(path, seconds, seconds)
      expect('release' in tryLock(path)).to.equal(false)
    }
    written(60_000)
    taken(tryLock(path)).release()
  })

  it('is not given back by whoever lost it', () => {
    const lost = taken(tryLock(path))
    const other = taken(tryLock(path, {isStale: () => true}))
    lost.release()
    expect(existsSync(path)).to.equal(true)
    other.release()
    expect(existsSync(path)).to.equal(false)
  })

  it('refuses a link or a folder in its place', () => {
    symlinkSync(join(folder, 'elsewhere'), path)
    expect(() => tryLock(path)).to.throw('is not a regular file')
    rmSync(path)
    mkdirSync(path)
    expect(() => tryLock(path)).to.throw('is not a regular file')
    expect(readdirSync(folder)).to.deep.equal(['LOCK'])
  })

  it('waits for its turn, no longer than told, and gives back after a failure', () => {
    const first = taken(tryLock(path))
    let pauses = 0
    const pause = (): void => {
      if (++pauses === 3) first.release()
    }
    expect(withLock(path, () => 'done', {pause})).to.equal('done')
    expect(pauses).to.equal(3)
    expect(() =>
      withLock(path, () => {
        throw new Error('failed')
      }),
    ).to.throw('failed')
    expect(readdirSync(folder)).to.deep.equal([])
    const held = taken(tryLock(path))
    expect(() => withLock(path, () => 'never', {timeoutMs: 50, pause: () => pauses++}))
      .to.throw(`is held by the process ${process.pid}`)
      .with.property('code', 'StateLocked')
    expect(pauses).to.equal(8)
    held.release()
  })

  /** The disk, with something that happens before the call of that number. */
  function interrupted(at: number, what: () => void): {disk: LockDisk; calls: () => number} {
    let count = 0
    const interrupt =
      <A extends unknown[], R>(call: (...parameters: A) => R) =>
      (...parameters: A): R => {
        if (count++ === at) what()
        return call(...parameters)
      }
    const {create, link, rename, remove, read, list} = lockDisk
    const disk = {
      create: interrupt(create),
      link: interrupt(link),
      rename: interrupt(rename),
      remove: interrupt(remove),
      read: interrupt(read),
      list: interrupt(list),
    }
    return {disk, calls: () => count}
  }

  for (const [what, prepare] of [
    ['a free lock', () => undefined],
    ['the lock of a process that ended', () => writeFileSync(path, predecessor())],
    [
      'a lock whose taker ended as well',
      () => {
        writeFileSync(path, predecessor())
        writeFileSync(`${path}.old`, predecessor('taker'))
      },
    ],
    [
      'a lock that nobody wrote',
      () => {
        writeFileSync(path, '1')
        age(path)
      },
    ],
  ] as const) {
    it(`gives ${what} to one of two, wherever the second comes in between, and again after that`, () => {
      let met = 0
      for (let at = 0; at <= met; at++) {
        prepare()
        let inner: FileLock | LockContent | undefined
        const {disk, calls} = interrupted(at, () => {
          inner = tryLock(path)
        })
        const outer = tryLock(path, {disk})
        met = Math.max(met, Math.min(calls(), 30))
        const winners = [outer, inner].filter((lock) => lock && 'release' in lock) as FileLock[]
        expect(winners.length, `holders, the second before call ${at}`).to.equal(1)
        winners[0]?.release()
        taken(tryLock(path)).release()
        expect(readdirSync(folder), `second before call ${at}`).to.deep.equal([])
      }
      expect(met).to.be.greaterThan(3)
    })

    it(`gives ${what} to the next, wherever the first one dies`, () => {
      let isDone = false
      for (let at = 0; at < 30 && !isDone; at++) {
        prepare()
        let isDead = false
        const die = (): never => {
          isDead = true
          throw new Died()
        }
        const {disk} = interrupted(at, die)
        // The dead do nothing more, so their `finally` does not either.
        const still =
          <A extends unknown[], R>(call: (...parameters: A) => R) =>
          (...parameters: A): R =>
            isDead ? die() : call(...parameters)
        const mortal = Object.fromEntries(
          Object.entries(disk).map(([name, call]) => [name, still(call as () => unknown)]),
        )
        try {
          taken(tryLock(path, {disk: mortal as unknown as LockDisk})).release()
          isDone = true
        } catch (error) {
          expect(error).to.be.instanceOf(Died)
        }
        asIfDead(folder)
        taken(tryLock(path)).release()
        expect(readdirSync(folder), `dead before call ${at}`).to.deep.equal([])
      }
      expect(isDone).to.equal(true)
    })
  }

  /** Makes whatever this process left the remains of one that ended. */
  function asIfDead(directory: string): void {
    for (const name of readdirSync(directory)) {
      const text = readFileSync(join(directory, name), 'utf8')
      if (text.includes('nonce'))
        writeFileSync(join(directory, name), text.replace(/"startTime":"\d+"/, '"startTime":"1"'))
    }
  }
})
