import {createHash} from 'node:crypto'
import {closeSync, fstatSync, fsyncSync, readSync, truncateSync} from 'node:fs'
import {userInfo} from 'node:os'
import {join} from 'node:path'
import {StateError} from '../../domain/errors.js'
import {withLock} from '../../files/file-lock.js'
import {openPrivate, privateFolder, readPrivate, replacePrivate, writeWhole} from '../../files/private-file.js'
import {Failure} from '../process/failure.js'

/**
 * The audit log: one line before a write and one after it, each carrying the hash of the line before, so that a line
 * that was changed, taken out or put in shows. The intent is on disk before the effect happens.
 */

export interface AuditEntry {
  /** `adoption`: somebody took the lines before for whole, although they cannot be shown to be. */
  readonly phase: 'intent' | 'result' | 'reveal' | 'adoption'
  readonly profile: string
  readonly project: string
  readonly command: string
  /** Id or key of what is written. Never an email. */
  readonly target?: string
  readonly actions?: readonly string[]
  readonly reason?: string
  readonly ticket?: string
  readonly correlationId?: string
  /** `done` for what was seen to be done, `unknown` for what nobody can tell, else the code of the error. */
  readonly result?: string
  readonly versionBefore?: number
  readonly versionAfter?: number
  /** Of an adoption: SHA-256 of all lines before it. */
  readonly adopts?: string
}

export interface AuditLine extends AuditEntry {
  readonly time: string
  readonly operator: string
  /** SHA-256 of the previous line, in hexadecimal; zeros for the first. */
  readonly previous: string
}

/** What the first line names as the one before. */
export const start = '0'.repeat(64)
const newline = 0x0a
const hashLength = start.length
export const hashOf = (line: string): string => createHash('sha256').update(line).digest('hex')
export const auditFile = (folder: string): string => join(folder, 'audit.jsonl')
/** The hash of the last line, which has no successor that would vouch for it; while one is added, also that of the one before. */
const headFile = (folder: string): string => join(folder, 'audit.head')

/** Appends an entry. Throws a Failure if it cannot be written: then the command must not go on. */
export function appendAudit(folder: string, entry: AuditEntry, now: number): void {
  try {
    privateFolder(folder)
    withLock(join(folder, 'LOCK'), () => append(folder, entry, now))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    const remedy = error instanceof StateError ? error.remedy : `Make ${folder} writable.`
    throw new Failure('localState', 'AuditUnwritable', `The audit log cannot be written: ${why}`, {
      hints: [remedy, ...(entry.phase === 'intent' ? ['Nothing was sent.'] : [])],
      cause: error,
    })
  }
}

function append(folder: string, entry: AuditEntry, now: number): void {
  const file = openPrivate(auditFile(folder), {access: 'append'})
  try {
    const last = lastLine(file)
    const previous = entry.phase === 'adoption' && last ? hashOf(last.text) : predecessor(folder, last)
    const line: AuditLine = {time: new Date(now).toISOString(), operator: operator(), ...entry, previous}
    const text = JSON.stringify(line)
    // Before the line: after a crash between the two, the line before it is still vouched for.
    replacePrivate(headFile(folder), `${hashOf(text)} ${previous}\n`)
    // A line that a crash cut off stays by itself.
    writeWhole(file, `${last?.isWhole === false ? '\n' : ''}${text}\n`)
    fsyncSync(file)
    // After a power cut the head may have its former length. It vouches for the line as well, so nothing waits for the disk.
    truncateSync(headFile(folder), hashLength)
  } finally {
    closeSync(file)
  }
}

/**
 * What the next line names as the one before: the last line, if the head vouches for it. After lines were cut off, or the
 * head with them, a new line goes on from what is missing, so that the gap shows for ever and is not healed by writing.
 */
function predecessor(folder: string, last: LastLine | undefined): string {
  const vouched = vouchedHashes(folder)
  if (last === undefined) return vouched?.[0] ?? start
  const hash = hashOf(last.text)
  // A line that a crash cut off is broken by itself.
  const isCutOff = !last.isWhole && parsedLine(last.text) === undefined
  return isCutOff || vouched?.includes(hash) ? hash : (vouched?.[0] ?? unvouched)
}

/** Stands for the hash of a line that nobody knows: the head was gone. */
const unvouched = 'f'.repeat(64)

/** What the last line may hash to; undefined without a head. */
export const vouchedHashes = (folder: string): readonly string[] | undefined =>
  readPrivate(headFile(folder))?.trim().split(' ')

function operator(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}

interface LastLine {
  readonly text: string
  readonly isWhole: boolean
}

/** The last line, read from the end in growing steps, and whether its end was written. */
function lastLine(file: number): LastLine | undefined {
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

export function parsedLine(text: string): AuditLine | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as AuditLine) : undefined
  } catch {
    return undefined
  }
}
