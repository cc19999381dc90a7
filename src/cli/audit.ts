import {createHash} from 'node:crypto'
import {
  appendFileSync,
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs'
import {userInfo} from 'node:os'
import {join} from 'node:path'
import {Failure} from './failure.js'
import {privateFolder, readPrivate, writePrivate} from './private-files.js'

/**
 * The audit log: one line before a write and one after it, each carrying the hash of the line before, so that a line
 * that was changed, taken out or put in shows. The intent is on disk before the effect happens.
 */

export interface AuditEntry {
  readonly phase: 'intent' | 'result' | 'reveal'
  readonly profile: string
  readonly project: string
  readonly command: string
  /** Id or key of what is written. Never an email. */
  readonly target?: string
  readonly actions?: readonly string[]
  readonly reason?: string
  readonly ticket?: string
  readonly correlationId?: string
  /** `done`, or the code of the error. */
  readonly result?: string
  readonly versionBefore?: number
  readonly versionAfter?: number
}

export interface AuditLine extends AuditEntry {
  readonly time: string
  readonly operator: string
  /** SHA-256 of the previous line, in hexadecimal; zeros for the first. */
  readonly previous: string
}

const start = '0'.repeat(64)
const newline = 0x0a
const hashOf = (line: string): string => createHash('sha256').update(line).digest('hex')
export const auditFile = (folder: string): string => join(folder, 'audit.jsonl')
/** The hash of the last line, which has no successor that would vouch for it; while one is added, also that of the one before. */
const headFile = (folder: string): string => join(folder, 'audit.head')

/** Appends an entry. Throws a Failure if it cannot be written: then the command must not go on. */
export function appendAudit(folder: string, entry: AuditEntry, now: number): void {
  try {
    privateFolder(folder)
    exclusively(join(folder, 'LOCK'), () => append(folder, entry, now))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Failure('localState', 'AuditUnwritable', `The audit log cannot be written: ${why}`, {
      hints: [`Make ${folder} writable; nothing was sent.`],
      cause: error,
    })
  }
}

function append(folder: string, entry: AuditEntry, now: number): void {
  const file = openSync(auditFile(folder), 'a+', 0o600)
  try {
    const last = lastLine(file)
    const previous = last === undefined ? start : hashOf(last.text)
    const line: AuditLine = {time: new Date(now).toISOString(), operator: operator(), ...entry, previous}
    const text = JSON.stringify(line)
    // Before the line: after a crash between the two, the line before it is still vouched for.
    writePrivate(headFile(folder), `${hashOf(text)} ${previous}\n`)
    // A line that a crash cut off stays by itself.
    writeSync(file, `${last?.isWhole === false ? '\n' : ''}${text}\n`)
    fsyncSync(file)
    writePrivate(headFile(folder), `${hashOf(text)}\n`)
  } finally {
    closeSync(file)
  }
}

function operator(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}

/** The last line, read from the end in growing steps, and whether its end was written. */
function lastLine(file: number): {readonly text: string; readonly isWhole: boolean} | undefined {
  const {size} = fstatSync(file)
  if (size === 0) return undefined
  for (let length = Math.min(size, 4096); ; length = Math.min(size, length * 8)) {
    const bytes = Buffer.alloc(length)
    readSync(file, bytes, 0, length, size - length)
    const isWhole = bytes.at(-1) === newline
    const text = bytes.toString('utf8').replace(/\n$/, '')
    const cut = text.lastIndexOf('\n')
    if (cut >= 0) return {text: text.slice(cut + 1), isWhole}
    if (length === size) return {text, isWhole}
  }
}

const lockTries = 200
const lockPauseMs = 10

/** Runs a short task while no other process does. A lock whose owner is gone is taken over. */
function exclusively(lock: string, task: () => void): void {
  for (let tries = 0; ; tries++) {
    try {
      closeSync(lockFile(lock))
      break
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      if (tries >= lockTries) throw new Error(`${lock} is held by another process`)
      if (!ownerLives(lock)) rmSync(lock, {force: true})
      else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, lockPauseMs)
    }
  }
  try {
    task()
  } finally {
    rmSync(lock, {force: true})
  }
}

function lockFile(lock: string): number {
  const file = openSync(lock, 'wx', 0o600)
  appendFileSync(file, String(process.pid))
  return file
}

function ownerLives(lock: string): boolean {
  try {
    const pid = Number(readFileSync(lock, 'utf8'))
    // An empty file belongs to a process between creating and writing it.
    if (!Number.isInteger(pid) || pid <= 0) return true
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

export interface AuditReading {
  readonly lines: readonly AuditLine[]
  /** Numbers of the lines, from 1, whose predecessor is not what they say, that cannot be read, or that end too early. */
  readonly broken: readonly number[]
  /** Hash of the last line: who keeps it elsewhere can tell later that nothing was cut off. */
  readonly head: string
}

/** Reads the log and checks its chain. */
export function readAudit(folder: string): AuditReading {
  const path = auditFile(folder)
  const texts = existsSync(path)
    ? readFileSync(path, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
    : []
  const lines: AuditLine[] = []
  const broken: number[] = []
  let previous = start
  for (const [index, text] of texts.entries()) {
    const line = parsedLine(text)
    if (line) lines.push(line)
    if (line?.previous !== previous) broken.push(index + 1)
    previous = hashOf(text)
  }
  const vouched = vouchedHashes(folder)
  if (vouched !== undefined && !vouched.includes(previous)) broken.push(Math.max(texts.length, 1))
  return {lines, broken: [...new Set(broken)], head: previous}
}

/** What the last line may hash to; undefined for a log that an older release wrote. */
function vouchedHashes(folder: string): readonly string[] | undefined {
  return readPrivate(headFile(folder))?.trim().split(' ')
}

function parsedLine(text: string): AuditLine | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as AuditLine) : undefined
  } catch {
    return undefined
  }
}
