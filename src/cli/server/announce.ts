import {StateError} from '../../domain/errors.js'
import {replacePrivate} from '../../files/private-file.js'
import {Failure} from '../process/failure.js'
import type {Output} from '../run/output.js'

/** The addresses that a server prints once it listens. */
export interface Listening {
  readonly apiUrl: string
  readonly authUrl: string
  readonly projectKey: string
  readonly pid: number
}

/** Prints one JSON line for programs or a sentence for people, and writes the ready file atomically. */
export async function announce(
  {apiUrl, authUrl, projectKey, pid}: Listening,
  output: Output,
  readyFile: string | undefined,
): Promise<void> {
  const line = JSON.stringify({apiUrl, authUrl, projectKey, pid})
  if (readyFile !== undefined) replacePrivate(readyFile, `${line}\n`)
  await output.text(
    output.form === 'json' || output.form === 'jsonl'
      ? `${line}\n`
      : `listening on ${apiUrl}/${projectKey} (process ${pid}); \`frontdesk server env\` shows how to use it\n`,
  )
}

/** Resolves when the signal is aborted. */
export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), {once: true})
  })

/** The failure of a server that can no longer write; it ends so that a supervisor notices. */
export const stoppedBy = (error: Error, dataDir: string): Failure =>
  new Failure('localState', error instanceof StateError ? error.code : 'StateUnusable', 'The server has ended.', {
    hints: [`Nothing could be written to ${dataDir} any more: ${error.message}. All that was acknowledged is there.`],
  })
