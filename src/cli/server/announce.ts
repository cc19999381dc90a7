import {StateError} from '../../domain/errors.js'
import {replacePrivate} from '../../files/private-file.js'
import type {Output} from '../output/output.js'
import {Failure} from '../process/failure.js'

/** What a server says when it listens. */
export interface Listening {
  readonly apiUrl: string
  readonly authUrl: string
  readonly projectKey: string
  readonly pid: number
}

/** One line for programs, a few words for people; the file is complete when it appears. */
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

/** Resolves when the signal comes. */
export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), {once: true})
  })

/** A server that can write nothing more ends, so that whoever watches it notices. */
export const stoppedBy = (error: Error, dataDir: string): Failure =>
  new Failure('localState', error instanceof StateError ? error.code : 'StateUnusable', 'The server has ended.', {
    hints: [`Nothing could be written to ${dataDir} any more: ${error.message}. All that was acknowledged is there.`],
  })
