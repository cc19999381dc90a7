import {spawn} from 'node:child_process'
import {lookup} from 'node:dns/promises'
import {chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {expect} from 'chai'
import {type RunningServer, startServer} from '../../src/index.js'
import {built} from '../cli/run.js'
import {processLimitMs} from '../patience.js'

/** What hurt people with other command lines, and what is right here. */

export interface Doing {
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly words?: readonly string[]
  /** Runs the command by a line of bash: `"$@"` is the command. */
  readonly shell?: string
  readonly uid?: number
  readonly prepare?: (home: string) => void
}

export interface Row {
  /** Public reports of the case, or of one of its kind. */
  readonly report: string
  readonly does: string
  readonly done: Doing | ((place: Place) => Doing | undefined)
  /** The exit code, and what is said, with --json on stdout. */
  readonly code: number
  readonly says?: RegExp
  readonly silent?: RegExp
  /** The same output as without any of it. */
  readonly same?: true
  readonly after?: (home: string) => void
}

export interface Place {
  readonly url: string
  /** At ::1 alone, if this machine has it. */
  readonly v6: RunningServer | undefined
  /** Whether localhost is both. */
  readonly hasBoth: boolean
}

export const query = ['customers', 'query', '--json']
export const login = ['login', 'shop', '--project-key', 'shop', '--api-url', 'https://api.shop.test', '--no-secret']
export const isRoot = process.getuid?.() === 0

/** Declares a test for each row, with a home of its own. `others`: customers of the server beside the one. */
export function tryRows(kind: string, rows: readonly Row[], others: readonly object[] = []): void {
  describe(`machine · ${kind}`, function () {
    if (process.platform !== 'linux') return
    this.timeout(processLimitMs)
    let server: RunningServer
    let v6: RunningServer | undefined
    let folder: string
    let plain: string
    let hasBoth: boolean
    before(async () => {
      hasBoth = (await lookup('localhost', {all: true})).length > 1
      folder = mkdtempSync(join(tmpdir(), 'frontdesk-machine-'))
      chmodSync(folder, 0o755)
      server = await startServer({dataDir: ':memory:', projectKey: 'shop'})
      const ada = {key: 'ada', email: 'ada@example.com', firstName: 'Jürgen “Ö”'}
      await server.seed({customers: [ada, ...others]} as never)
      // A machine may have no such address.
      v6 = await startServer({dataDir: ':memory:', projectKey: 'shop', host: '::1'}).catch(() => undefined)
      plain = (await ran({words: query}, 'plain')).stdout
    })
    after(async () => {
      await server.stop()
      await v6?.stop()
      rmSync(folder, {recursive: true, force: true})
    })

    async function ran({env = {}, words = query, shell, uid, prepare}: Doing, name: string) {
      const home = join(folder, name)
      mkdirSync(home, {mode: 0o755})
      if (uid !== undefined) chownSync(home, uid, uid)
      prepare?.(home)
      const command = [process.execPath, built, ...words]
      const [file = '', ...argv] = shell === undefined ? command : ['bash', '-c', shell, 'bash', ...command]
      const child = spawn(file, argv, {
        cwd: home,
        env: {
          PATH: process.env['PATH'],
          HOME: home,
          FRONTDESK_PROJECT_KEY: 'shop',
          FRONTDESK_API_URL: server.apiUrl,
          FRONTDESK_CLIENT_ID: server.client.clientId,
          FRONTDESK_CLIENT_SECRET: server.client.clientSecret,
          FRONTDESK_RETRIES: '0',
          ...env,
        },
        timeout: processLimitMs,
        ...(uid === undefined ? {} : {uid, gid: uid}),
      })
      let [stdout, stderr] = ['', '']
      child.stdin.end()
      child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
      child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
      const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
      return {code, stdout, stderr: stderr.replace(/\s+/g, ' '), home}
    }

    for (const [at, row] of rows.entries()) {
      it(`${row.does} (${row.report})`, async () => {
        const doing = typeof row.done === 'function' ? row.done({url: server.apiUrl, v6, hasBoth}) : row.done
        // Where this machine cannot be brought into that state, there is nothing to try.
        if (doing === undefined || (doing.uid !== undefined && !isRoot)) return
        const {code, stdout, stderr, home} = await ran(doing, `row-${at}`)
        expect(code, stdout + stderr).to.equal(row.code)
        if (row.says) expect(stdout + stderr).to.match(row.says)
        if (row.silent) expect(stdout + stderr).to.not.match(row.silent)
        if (row.same) expect(stdout).to.equal(plain)
        row.after?.(home)
      })
    }
  })
}
