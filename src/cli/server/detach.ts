import {closeSync, openSync} from 'node:fs'
import {join} from 'node:path'
import {Failure} from '../failure.js'
import {privateFolder} from '../private-files.js'

const limitMs = 30_000

/**
 * Starts the same command as a process of its own and waits for the line that it prints when it listens. Its messages go
 * to `server.log` in the folder of the state.
 */
export async function startDetached(argv: readonly string[], dataDir: string): Promise<string> {
  const {spawn} = await import('node:child_process')
  const log = join(privateFolder(dataDir), 'server.log')
  const errors = openSync(log, 'a', 0o600)
  const child = spawn(process.execPath, [...process.execArgv, process.argv[1] ?? '', ...argv], {
    detached: true,
    stdio: ['ignore', 'pipe', errors],
  })
  closeSync(errors)
  const {stdout} = child
  if (!stdout) throw new Error('the child has no stdout')
  try {
    return await firstLine(stdout, (onEnd) => child.once('exit', onEnd), log)
  } finally {
    stdout.destroy()
    child.unref()
  }
}

function firstLine(stream: NodeJS.ReadableStream, onExit: (end: () => void) => void, log: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const failed = (why: string) =>
      reject(
        new Failure('localState', 'ServerNotStarted', `The server did not start: ${why}.`, {hints: [`See ${log}.`]}),
      )
    const timer = setTimeout(() => failed('it did not say that it listens'), limitMs)
    onExit(() => {
      clearTimeout(timer)
      failed('it ended')
    })
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8')
      const end = text.indexOf('\n')
      if (end < 0) return
      clearTimeout(timer)
      resolve(text.slice(0, end))
    })
  })
}
