import {closeSync, fstatSync, fsyncSync, readSync} from 'node:fs'
import {userInfo} from 'node:os'
import {dirname, join} from 'node:path'
import {isSamePlace, placeOf} from '../../client/place.js'
import {isObject} from '../../domain/equal.js'
import {StateError} from '../../domain/errors.js'
import {closeEmpty, openPrivate, privateFolder, readPrivate, syncFolder, writeWhole} from '../../files/private-file.js'
import {jsonIn} from '../output/fields.js'
import {Failure} from '../process/failure.js'
import type {Run} from '../run/run.js'
import {auditFolder} from '../target/settings.js'

/** The audit log: a file of lines that only grows, one before a write and one after it. The intent is on disk before the effect. */

export interface AuditEntry {
  /** `noted`: what a call at the desk was about, where no write of it says so. */
  readonly phase: 'intent' | 'result' | 'noted'
  readonly profile: string
  readonly project: string
  /** Address or folder, and project, whatever the name of the profile. */
  readonly place: string
  readonly command: string
  /** Id or key of what is written. Never an email. */
  readonly target?: string
  readonly actions?: readonly string[]
  readonly reason?: string
  readonly ticket?: string
  /** Fields of which the caller said what the account has. Never their values. */
  readonly checked?: readonly string[]
  /** Fields of which the caller said something else. Never what. */
  readonly missed?: readonly string[]
  readonly correlationId?: string
  /** `done`, `unknown` if no reading settled the outcome, else the code of the error. */
  readonly result?: string
  readonly versionBefore?: number
  readonly versionAfter?: number
}

export interface AuditLine extends AuditEntry {
  readonly time: string
  readonly operator: string
}

export const auditFile = (folder: string): string => join(folder, 'audit.jsonl')

/** Appends an entry. Throws a Failure if it cannot be written: then the command must not go on. */
export function appendAudit(folder: string, entry: AuditEntry, now: number): void {
  try {
    // The log is the first file of a new folder of the state, which is then no longer empty.
    closeEmpty(dirname(folder))
    privateFolder(folder)
    append(folder, entry, now)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    const remedy = error instanceof StateError ? error.remedy : `Make ${folder} writable.`
    throw new Failure('localState', 'AuditUnwritable', `The audit log cannot be written: ${why}`, {
      hints: [remedy, ...(entry.phase === 'intent' ? ['Nothing was sent.'] : [])],
      cause: error,
    })
  }
}

/** One write of one line, which the system puts behind those of other processes. */
function append(folder: string, entry: AuditEntry, now: number): void {
  const file = openPrivate(auditFile(folder), {access: 'append'})
  try {
    const {size} = fstatSync(file)
    const line: AuditLine = {time: new Date(now).toISOString(), operator: operator(), ...entry}
    // A line that a crash cut off stays by itself.
    writeWhole(file, `${endsWhole(file, size) ? '' : '\n'}${JSON.stringify(line)}\n`, auditFile(folder))
    fsyncSync(file)
    if (size === 0) syncFolder(folder)
  } finally {
    closeSync(file)
  }
}

function endsWhole(file: number, size: number): boolean {
  const last = Buffer.alloc(1)
  return size === 0 || (readSync(file, last, 0, 1, size - 1) === 1 && last[0] === 0x0a)
}

function operator(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}

/**
 * Reads the log, or what it has of a place alone, the oldest line first. `unreadable`: how many lines a crash cut off, or
 * somebody changed.
 */
export function readAudit(folder: string, place?: string) {
  const texts = (readPrivate(auditFile(folder)) ?? '').split('\n').filter((line) => line !== '')
  const lines = texts.flatMap((text) => {
    const line = jsonIn(text)
    return isObject(line) && 'time' in line ? (line as unknown as AuditLine) : []
  })
  const here = place === undefined ? lines : lines.filter((line) => isSamePlace(line.place, place))
  return {lines: here, unreadable: texts.length - lines.length}
}

/** What the log has of the target of a run. */
export const auditHere = ({folders, resolved}: Pick<Run, 'folders' | 'resolved'>): readonly AuditLine[] =>
  readAudit(auditFolder(folders), placeOf(resolved.target)).lines

/** Whether a line is about a resource, which it names by its id or, of a customer, by the key. */
export const isAbout =
  ({id, key}: {readonly id: string; readonly key?: string | undefined}) =>
  ({target}: AuditLine): boolean =>
    target === id || (key !== undefined && target === `key=${key}`)
