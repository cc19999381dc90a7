import {readFileSync, readlinkSync} from 'node:fs'
import {hostname} from 'node:os'

/** Who holds a lock: enough to tell, later and from another process, whether it still runs. */
export interface Holder {
  readonly pid: number
  /** When the process started, in the kernel's ticks; pids are used again, this pair is not. */
  readonly startTime: string
  readonly bootId: string
  readonly host: string
  /** A process of another pid namespace (a container) cannot be seen from here. */
  readonly namespace: string
  readonly nonce: string
  readonly purpose: 'server' | 'one-shot'
  /** Where a live server listens. */
  readonly origin?: string
}

function textOf(read: () => string): string {
  try {
    return read()
  } catch {
    return ''
  }
}

/** Field 22 of /proc/PID/stat; the command name before it may hold spaces and parentheses. */
const startTimeOf = (pid: number): string =>
  textOf(() => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  })

const bootId = (): string => textOf(() => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim())

export const thisProcess = (nonce: string, purpose: Holder['purpose']): Holder => ({
  pid: process.pid,
  startTime: startTimeOf(process.pid),
  bootId: bootId(),
  host: hostname(),
  namespace: textOf(() => readlinkSync('/proc/self/ns/pid')),
  nonce,
  purpose,
})

function pidExists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

/** Unknown: a process of another machine or container, whose end cannot be seen from here. */
export function liveness(holder: Holder): 'alive' | 'dead' | 'unknown' {
  const here = thisProcess('', 'one-shot')
  if (holder.bootId !== here.bootId) return holder.host === here.host ? 'dead' : 'unknown'
  if (holder.namespace !== here.namespace) return 'unknown'
  if (!pidExists(holder.pid)) return 'dead'
  return startTimeOf(holder.pid) === holder.startTime ? 'alive' : 'dead'
}

export function parsedHolder(text: string): Holder | undefined {
  try {
    const holder = JSON.parse(text) as Partial<Holder> | null
    return typeof holder?.pid === 'number' && typeof holder.nonce === 'string' ? (holder as Holder) : undefined
  } catch {
    return undefined
  }
}
