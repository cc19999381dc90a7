import {readFileSync, readlinkSync} from 'node:fs'
import {hostname} from 'node:os'
import {hasCode} from './file-errors.js'

/**
 * Identifies a process uniquely, so that another process can tell later whether it still runs. What an operating system
 * cannot provide is an empty text.
 */
export interface ProcessIdentity {
  readonly pid: number
  /**
   * Start time: kernel ticks on Linux, a date elsewhere. Process ids are reused, the pair of id and start time is not.
   */
  readonly startTime: string
  readonly bootId: string
  readonly host: string
  /** The pid namespace: processes of another container are invisible here. */
  readonly namespace: string
}

/** `unknown`: a process of another machine or container, which is not visible here and counts as running. */
export type Liveness = 'alive' | 'dead' | 'unknown'

/** The operating system's view of a process id. */
interface ProcessState {
  readonly startTime: string
  /** Ended but not reaped by its parent: the id is in use, and nothing runs. */
  readonly isZombie: boolean
}

/** The process table of the operating system; tests replace it. */
export interface ProcessTable {
  /** Whether the id is in use, also by another user's process or by a zombie. */
  exists(pid: number): boolean
  stateOf(pid: number): ProcessState
  bootId(): string
  namespace(): string
}

const nothingKnown: ProcessState = {startTime: '', isZombie: false}

function textOf(read: () => string): string {
  try {
    return read()
  } catch {
    return ''
  }
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return hasCode(error, 'EPERM')
  }
}

/**
 * Reads `/proc/PID/stat`. The command name in it may hold spaces and parentheses; state and field 22 stand behind it.
 */
export function parseProcStat(text: string): ProcessState {
  const [state = '', ...fields] = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return {startTime: fields[18] ?? '', isZombie: state === 'Z' || state === 'X'}
}

/** Reads one line of `ps -o stat=,lstart=`, such as `Ss   Sat Nov 21 23:31:58 2026`. */
export function parsePs(text: string): ProcessState {
  const [, state = '', startTime = ''] = /^\s*(\S+)\s+(\S.*?)\s*$/.exec(text) ?? []
  return {startTime: startTime.replace(/\s+/g, ' '), isZombie: state.startsWith('Z')}
}

export const linux: ProcessTable = {
  exists,
  stateOf: (pid) => parseProcStat(textOf(() => readFileSync(`/proc/${pid}/stat`, 'latin1'))),
  bootId: () => textOf(() => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()),
  namespace: () => textOf(() => readlinkSync('/proc/self/ns/pid')),
}

/** The output of a program of the system, in plain English and UTC. */
function outputOf(program: string, ...args: readonly string[]): string {
  // Loaded here, since Linux never needs it.
  const {execFileSync} = process.getBuiltinModule('node:child_process')
  const env = {...process.env, LC_ALL: 'C', TZ: 'UTC'}
  return textOf(() => execFileSync(program, args, {env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore']}))
}

/** macOS and the BSDs. The start is a date and so differs between boots, even where the boot has no id. */
export const unix: ProcessTable = {
  exists,
  stateOf: (pid) => parsePs(outputOf('ps', '-o', 'stat=,lstart=', '-p', String(pid))),
  bootId: () => outputOf('sysctl', '-n', 'kern.bootsessionuuid').trim(),
  namespace: () => '',
}

/** Windows: tells only whether an id is in use. */
const other: ProcessTable = {exists, stateOf: () => nothingKnown, bootId: () => '', namespace: () => ''}

const system: ProcessTable = process.platform === 'linux' ? linux : process.platform === 'win32' ? other : unix

let own: ProcessIdentity | undefined

/** The identity of this process, computed once. */
export function thisProcess(): ProcessIdentity {
  own ??= identityIn(system)
  return own
}

export const identityIn = (table: ProcessTable): ProcessIdentity => ({
  pid: process.pid,
  startTime: table.stateOf(process.pid).startTime,
  bootId: table.bootId(),
  host: hostname(),
  namespace: table.namespace(),
})

/**
 * Whether the process with this identity still runs. Decision 40: what another pid namespace or another machine has cannot
 * be told; another boot of this machine has ended all of its processes; else the process id and its start tell. A zombie
 * does not run: it holds neither memory nor files.
 */
export function liveness(identity: ProcessIdentity, table: ProcessTable = system): Liveness {
  const here = table === system ? thisProcess() : identityIn(table)
  const isSameBoot = here.bootId !== '' && identity.bootId === here.bootId
  if (identity.namespace !== here.namespace || !(isSameBoot || identity.host === here.host)) return 'unknown'
  if (identity.bootId !== here.bootId) return 'dead'
  if (!table.exists(identity.pid)) return 'dead'
  const {startTime, isZombie} = table.stateOf(identity.pid)
  const isAnother = startTime !== '' && identity.startTime !== '' && startTime !== identity.startTime
  return isZombie || isAnother ? 'dead' : 'alive'
}

const texts = ['startTime', 'bootId', 'host', 'namespace'] as const satisfies readonly (keyof ProcessIdentity)[]

/** The identity that a file holds, among other members; undefined for anything else. */
export function parsedIdentity(value: unknown): ProcessIdentity | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const members = value as Record<string, unknown>
  const {pid} = members
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid <= 0) return undefined
  if (!texts.every((name) => typeof members[name] === 'string')) return undefined
  return members as unknown as ProcessIdentity
}
