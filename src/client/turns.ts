import {randomBytes} from 'node:crypto'
import {mkdir, readFile, stat, unlink, writeFile} from 'node:fs/promises'
import {dirname} from 'node:path'
import {setTimeout as after} from 'node:timers/promises'

const lookAgainMs = 25
/** An older turn was left behind, or whoever holds it has trouble that others need not share. */
const patienceMs = 10_000

/**
 * Lets one process at a time do some work whose result the others can use: each looks whether it is `found`, and only
 * who has the turn works for it. Where no file can be written everybody works, and so do those whose patience ends; a
 * turn orders requests and protects nothing.
 */
export async function inTurn<T>(path: string, found: () => Promise<T | undefined>, work: () => Promise<T>): Promise<T> {
  const mine = `${process.pid} ${randomBytes(6).toString('hex')}`
  for (;;) {
    const present = await found()
    if (present !== undefined) return present
    const turn = await taken(path, mine)
    if (turn === 'none') return work()
    if (turn === 'mine') break
    if (await isAbandoned(path)) await unlink(path).catch(() => undefined)
    else await after(lookAgainMs)
  }
  try {
    return (await found()) ?? (await work())
  } finally {
    if ((await holderOf(path)) === mine) await unlink(path).catch(() => undefined)
  }
}

async function taken(path: string, mine: string): Promise<'mine' | 'others' | 'none'> {
  try {
    await mkdir(dirname(path), {recursive: true, mode: 0o700})
  } catch {
    return 'none'
  }
  try {
    await writeFile(path, mine, {flag: 'wx', mode: 0o600})
    return 'mine'
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EEXIST' ? 'others' : 'none'
  }
}

const holderOf = (path: string): Promise<string | undefined> => readFile(path, 'utf8').catch(() => undefined)

/** Whether the holder is gone, or holds its turn for too long. A turn that ended meanwhile is nobody's. */
async function isAbandoned(path: string): Promise<boolean> {
  try {
    const {mtimeMs} = await stat(path)
    if (Date.now() - mtimeMs > patienceMs) return true
    const pid = Number(/^(\d+) /.exec((await holderOf(path)) ?? '')?.[1])
    return pid > 0 && !isRunning(pid)
  } catch {
    return false
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
