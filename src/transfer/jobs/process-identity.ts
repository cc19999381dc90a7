import {readFileSync} from 'node:fs'

/** When the process began, in the kernel's ticks: two processes that share a pid differ in it. Empty if unknown. */
function startOf(pid: number): {readonly started: string; readonly zombie: boolean} {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return {started: fields[19] ?? '', zombie: fields[0] === 'Z'}
  } catch {
    return {started: '', zombie: false}
  }
}

export const thisProcess = (): {pid: number; started: string} => ({
  pid: process.pid,
  started: startOf(process.pid).started,
})

/** Whether the process that wrote this still runs. */
export function isRunning({pid, started}: {readonly pid: number; readonly started: string}): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  const now = startOf(pid)
  return !now.zombie && now.started === started
}
