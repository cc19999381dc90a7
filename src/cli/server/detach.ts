import {closeSync} from 'node:fs'
import {join} from 'node:path'
import {openPrivate, privateFolder} from '../../files/private-file.js'
import type {ErrorReport} from '../output/error-report.js'
import {endingOf} from '../process/exit-codes.js'
import {Failure} from '../process/failure.js'

const limitMs = 30_000

/**
 * Starts the same command as a process of its own and waits for the line that it prints when it listens. Its messages go
 * to `server.log` in the folder of the state.
 */
export async function startDetached(argv: readonly string[], dataDir: string): Promise<string> {
  const {spawn} = await import('node:child_process')
  const log = join(privateFolder(dataDir), 'server.log')
  const errors = openPrivate(log, {access: 'append'})
  const child = spawn(process.execPath, [...process.execArgv, process.argv[1] ?? '', ...argv], {
    detached: true,
    stdio: ['ignore', 'pipe', errors],
  })
  closeSync(errors)
  const broken = new Promise<never>((_, reject) => {
    child.once('error', (error) => reject(notStarted(error.message, log)))
  })
  const {stdout} = child
  if (!stdout) throw new Error('the child has no stdout')
  try {
    return await Promise.race([firstLine(stdout, log), broken])
  } finally {
    stdout.destroy()
    child.unref()
  }
}

/** The first line, or the failure that the process printed in its place. */
function firstLine(stream: NodeJS.ReadableStream, log: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const timer = setTimeout(() => reject(notStarted('it did not say that it listens', log)), limitMs)
    stream.on('end', () => {
      clearTimeout(timer)
      reject(toldFailure(text) ?? notStarted('it ended', log))
    })
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8')
      const end = text.indexOf('\n')
      if (end < 0 || !isDocument(text.slice(0, end))) return
      clearTimeout(timer)
      resolve(text.slice(0, end))
    })
  })
}

const notStarted = (why: string, log: string): Failure =>
  new Failure('localState', 'ServerNotStarted', `The server did not start: ${why}.`, {hints: [`See ${log}.`]})

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isDocument = (text: string): boolean => parsed(text) !== undefined

function toldFailure(text: string): Failure | undefined {
  const {error} = (parsed(text) ?? {}) as {error?: ErrorReport}
  if (error === undefined) return undefined
  const {exitCode, code, message, hints, details} = error
  return new Failure(endingOf(exitCode), code, message, {hints, details})
}
