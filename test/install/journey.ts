import {spawn, spawnSync} from 'node:child_process'
import {once} from 'node:events'
import {copyFileSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {createInterface} from 'node:readline'
import {fileURLToPath} from 'node:url'
import type {Manager} from './managers.js'

/** What is done with every installed copy. */

export const steps = ['create', 'import', 'query', 'server', 'library'] as const
export type Step = (typeof steps)[number]

/** Where and as whom the installed copy runs. */
export interface Place {
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
  /** A user without an entry in the list of users, where this process may become one. */
  readonly uid?: number
}

const here = fileURLToPath(new URL('.', import.meta.url))
const scripts = ['library.mjs', 'library.cjs']
const rows = 'shop-export.csv'
const map = 'shop-export.map.json'
/** Only ends what hangs. */
const maxSeconds = 600

/** Puts what the steps read into the folder, before nobody may write there any more. */
export function layOut(folder: string): void {
  for (const name of scripts) copyFileSync(join(here, name), join(folder, name))
  const customers = join(here, '../../fixtures/customers')
  copyFileSync(join(customers, map), join(folder, map))
  // Few, as each gets a password.
  writeFileSync(join(folder, rows), readFileSync(join(customers, rows), 'utf8').split('\n').slice(0, 5).join('\n'))
}

/** What went wrong; nothing if all is well. */
export async function walk(step: Step, manager: Manager, place: Place): Promise<string | undefined> {
  try {
    await journey[step](manager, place)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function run(words: readonly string[], {folder, env, uid}: Place): string {
  const [program = '', ...rest] = words
  const options = {cwd: folder, env, encoding: 'utf8', timeout: maxSeconds * 1000} as const
  const {status, stdout, stderr, error} = spawnSync(
    program,
    rest,
    uid === undefined ? options : {...options, uid, gid: uid},
  )
  if (error) throw error
  if (status !== 0) throw new Error(`${rest.at(-1)} ended with ${status}: ${stderr}${stdout}`.trim())
  return stdout
}

/** Why it is not this Node that runs here: one that cannot be reached gives way to the next of the path. */
export function otherNode(major: string, place: Place): string | undefined {
  const version = run(['node', '--version'], place).trim()
  return version.startsWith(`v${major}.`) ? undefined : `Node ${version} runs instead of ${major}.`
}

function shows(text: string, expected: string): void {
  if (!text.includes(expected)) throw new Error(`'${expected}' is missing in: ${text.slice(0, 500)}`)
}

const journey: Record<Step, (manager: Manager, place: Place) => void | Promise<void>> = {
  create({command}, place) {
    const draft = ['--email', 'ada@example.com', '--key', 'ada', '--set', 'firstName=Ada', '--external-auth']
    run([...command, 'customers', 'create', ...draft], place)
    run([...command, 'customers', 'update', 'key=ada', '--set', 'lastName=Lovelace'], place)
  },
  import({command}, place) {
    const passwords = [
      '--password-mode',
      'generate',
      '--generated-passwords',
      join(String(place.env['HOME']), 'new.csv'),
    ]
    const counts = run([...command, 'customers', 'import', rows, '--map-file', map, '--json', ...passwords], place)
    shows(counts, '"created": 4')
  },
  query({command}, place) {
    const query = [...command, 'customers', 'query', '--where', 'key = "ada"']
    shows(run(query, place), 'ada@example.com')
    for (const [format, expected] of [
      ['json', '"lastName": "Lovelace"'],
      ['yaml', 'lastName: Lovelace'],
      ['csv', 'ada@example.com'],
    ]) {
      shows(run([...query, '-o', String(format)], place), String(expected))
    }
    shows(run([...command, 'deprecations', 'check', map], place), '')
    shows(run([...command, '--help'], place), 'customers')
  },
  async server({command}, {folder, env, uid}) {
    const [program = '', ...words] = [...command, 'server', 'start', '--port', '0', '--json']
    const options = {cwd: folder, env, timeout: maxSeconds * 1000}
    // A group of its own: a package manager may stand between us and the server.
    const child = spawn(program, words, {
      ...options,
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
      ...(uid === undefined ? {} : {uid, gid: uid}),
    })
    const ended = once(child, 'exit')
    try {
      const line = await Promise.race([once(createInterface(child.stdout), 'line'), ended.then(() => undefined)])
      if (!line) throw new Error('The server ended before it was ready.')
      const {apiUrl} = JSON.parse(String(line[0])) as {apiUrl: string}
      for (const path of ['/health', '/openapi.json']) {
        const {status} = await fetch(new URL(path, apiUrl))
        if (status !== 200) throw new Error(`${path} answered ${status}.`)
      }
    } finally {
      if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
      await ended
    }
  },
  library({script}, place) {
    for (const name of scripts) run([...script, name], place)
  },
}
