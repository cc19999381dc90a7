import {execFile} from 'node:child_process'
import {existsSync, mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {delimiter, join} from 'node:path'
import {pathToFileURL} from 'node:url'
import {promisify} from 'node:util'

const names = ['chromium', 'chromium-browser', 'google-chrome']
const quiet = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--host-resolver-rules=MAP * ~NOTFOUND',
]

/** A browser of this machine, if there is one. */
export const browser = names
  .flatMap((name) => (process.env['PATH'] ?? '').split(delimiter).map((dir) => join(dir, name)))
  .find((path) => existsSync(path))

/** Opens a page in the browser, and returns what the browser made of it. */
export async function opened(path: string, ...flags: readonly string[]): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'frontdesk-browser-'))
  try {
    const argv = [...quiet, `--user-data-dir=${dir}`, ...flags, pathToFileURL(path).href]
    const {stdout} = await promisify(execFile)(browser ?? '', argv, {timeout: 120_000, maxBuffer: 32 * 1024 * 1024})
    return stdout
  } finally {
    rmSync(dir, {recursive: true, force: true, maxRetries: 5})
  }
}
