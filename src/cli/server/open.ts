import {administerServer} from '../../client/local/admin.js'
import {runningServer} from '../../client/local/local-server.js'
import type {Io} from '../process/io.js'
import type {LocalState} from './server-command.js'

/** What opens a link on each platform: a program and its arguments, before the link. */
const openers: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
  linux: ['xdg-open'],
}

/** Whether a person is there to see a browser open. */
const hasDisplay = ({stdout, env}: Io): boolean =>
  stdout.isTTY === true &&
  !env['CI'] &&
  !env['SSH_CONNECTION'] &&
  (process.platform !== 'linux' || Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY']))

/** A link that lets one browser into the window of a server, once; also opens it where a person can see that. */
export async function openWindow({dataDir, projectKey}: LocalState, io: Io, isPrinted = false): Promise<string> {
  const {origin} = await runningServer(dataDir)
  const {path, value} = await administerServer(dataDir, 'openWindow')
  const url = `${origin}${path}?${new URLSearchParams({code: value, project: projectKey})}`
  const [program, ...words] = openers[process.platform] ?? ['xdg-open']
  if (isPrinted || !hasDisplay(io)) return url
  const {spawn} = await import('node:child_process')
  // A browser that does not open is no failure: the link is printed.
  spawn(program, [...words, url], {detached: true, stdio: 'ignore'})
    .once('error', () => undefined)
    .unref()
  return url
}
