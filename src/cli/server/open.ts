import {join} from 'node:path'
import {pathToFileURL} from 'node:url'
import {administerServer} from '../../client/local/admin.js'
import {runningServer} from '../../client/local/local-server.js'
import {replacePrivate} from '../../files/private-file.js'
import type {Io} from '../process/io.js'
import type {LocalState} from './server-command.js'

/** What opens a file on each operating system: a program and its arguments, before the file. */
const openers: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Whether a person is there to see a browser open. */
const hasDisplay = ({stdout, env}: Io): boolean =>
  stdout.isTTY === true &&
  !env['CI'] &&
  !env['SSH_CONNECTION'] &&
  (process.platform !== 'linux' || Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY']))

const linkFile = 'window.html'

/** A page that leads to a link; its code is good once. */
const pageTo = (url: string): string =>
  `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><title>frontdesk</title>
<script>location.replace(${JSON.stringify(url)})</script>\n`

/** A link that lets one browser into the window of a server, once; also opens it where a person can see that. */
export async function openWindow({dataDir, projectKey}: LocalState, io: Io, isPrinted = false): Promise<string> {
  const {origin} = await runningServer(dataDir)
  const {path, value} = await administerServer(dataDir, 'openWindow')
  const url = `${origin}${path}?${new URLSearchParams({project: projectKey})}#${new URLSearchParams({code: value})}`
  const [program, ...words] = openers[process.platform] ?? ['xdg-open']
  if (isPrinted || !hasDisplay(io)) return url
  // The arguments of a program can be read by every user: the link stands in a file that one user can read.
  const file = join(dataDir, linkFile)
  replacePrivate(file, pageTo(url))
  const {spawn} = await import('node:child_process')
  // A browser that does not open is no failure: the link is printed.
  spawn(program, [...words, pathToFileURL(file).href], {detached: true, stdio: 'ignore', env: io.env})
    .once('error', () => undefined)
    .unref()
  return url
}
