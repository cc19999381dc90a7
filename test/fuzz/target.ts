import {type ChildProcess, fork} from 'node:child_process'
import {mkdtempSync, readFileSync, rmSync} from 'node:fs'
import {connect, type Socket} from 'node:net'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {getIntrospectionQuery} from 'graphql'
import {operations} from '../../src/api/index.js'
import {openApi} from '../../src/api/openapi.js'
import {adminOperations} from '../../src/server/local/admin.js'
import {serverOperations, testHookOperations} from '../../src/server/local/server-operations.js'
import {bundledScript} from '../crash/bundled-script.js'
import {basic, formOf, formType, send} from '../security/shop/wire.js'
import type {FuzzRequest, World} from './requests.js'

/** A server in a process of its own, and what is known of it. */

const script = bundledScript(fileURLToPath(new URL('../security/survival/worst-server.ts', import.meta.url)))
/** Silence beyond this is a fault. */
const longestAnswerMs = 60_000

/** All but those that empty the project, end every token, or make faults on purpose. */
const {resetProject, ...administration} = adminOperations
const {showFaults, showClock} = testHookOperations
const asked = [...operations, ...Object.values({...administration, ...serverOperations, showFaults, showClock})]

export class Target {
  readonly #child: ChildProcess
  readonly #port: number
  readonly #dataDir: string
  readonly world: World
  /** Milliseconds that this machine takes for a megabyte of JSON. */
  readonly unitMs: number
  #socket: Socket | undefined

  private constructor(child: ChildProcess, dataDir: string, origin: string, world: World, unitMs: number) {
    this.#child = child
    this.#dataDir = dataDir
    this.#port = Number(new URL(origin).port)
    this.world = world
    this.unitMs = unitMs
  }

  static async start(): Promise<Target> {
    const dataDir = mkdtempSync(join(tmpdir(), 'frontdesk-fuzz-'))
    const child = fork(script, [dataDir], {execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc']})
    // biome-ignore lint/suspicious/noExplicitAny: what the child says
    const {origin, client, unitMs} = await new Promise<any>((resolve) => child.once('message', resolve))
    const clientOf = basic(client.clientId, client.clientSecret)
    const post = async (path: string, authorization: string, type: string, body: string) =>
      (await send(origin, {method: 'POST', path, headers: {authorization, 'content-type': type}, body})).body
    const token = async (path: string, form: Record<string, string>) =>
      `Bearer ${(await post(path, clientOf, formType, formOf(form))).access_token}`
    const whole = await token('/oauth/token', {grant_type: 'client_credentials'})
    const json = (path: string, body: object) => post(path, whole, 'application/json', JSON.stringify(body))
    const person = {email: 'fuzz@example.com', password: 'right horse'}
    await json('/demo/customers', person)
    const login = {grant_type: 'password', username: person.email, password: person.password}
    const authorizations = [
      whole,
      await token('/oauth/token', {grant_type: 'client_credentials', scope: 'view_quotes:demo'}),
      await token('/oauth/demo/customers/token', login),
      await token('/oauth/demo/anonymous/token', {grant_type: 'client_credentials'}),
      ...['', 'Bearer x', 'Basic x', `Bearer ${'x'.repeat(5_000)}`],
    ]
    const listed = async (segment: string): Promise<{id: string; key?: string}[]> =>
      (await send(origin, {path: `/demo/${segment}?limit=50`, headers: {authorization: whole}})).body.results
    const collections = ['customers', 'types', 'customer-groups', 'stores', 'carts']
    const each = await Promise.all(collections.map(async (name) => ({name, found: await listed(name)})))
    const found = each.flatMap((one) => one.found)
    const {data: introspection} = await json('/demo/graphql', {query: getIntrospectionQuery()})
    const known = {
      id: found.map(({id}) => id),
      key: found.flatMap(({key}) => key ?? []),
      storeKey: found.flatMap(({key}) => key ?? []),
      ...Object.fromEntries(each.map((one) => [`${one.name}/id`, one.found.map(({id}) => id)])),
      ...Object.fromEntries(each.map((one) => [`${one.name}/key`, one.found.flatMap(({key}) => key ?? [])])),
      projectKey: ['demo', 'demo', 'demo', 'other'],
      email: ['fuzz@example.com', 'FUZZ@example.com', ...Array.from({length: 40}, (_, at) => `f${at}@example.com`)],
      password: ['right horse', 'wrong horse'],
      country: ['DE', 'US'],
    }
    const admin = `Bearer ${readFileSync(join(dataDir, 'admin.token'), 'utf8').trim()}`
    const document = await openApi(asked)
    const world = {introspection, document, known, authorizations, basic: clientOf, admin, operations: asked}
    return new Target(child, dataDir, origin, world, unitMs)
  }

  /** The answer; undefined for a connection that ended without one. */
  async ask({text, isBroken}: FuzzRequest): Promise<Answer | undefined> {
    const socket = isBroken ? this.#connected() : this.#kept()
    try {
      return await answered(socket, text, isBroken)
    } finally {
      if (isBroken) socket.destroy()
    }
  }

  #connected(): Socket {
    return connect(this.#port, '127.0.0.1').on('error', () => undefined)
  }

  #kept(): Socket {
    if (this.#socket === undefined || !this.#socket.writable) this.#socket = this.#connected()
    return this.#socket
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null
  }

  /** Resident megabytes. */
  get megabytes(): number {
    const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${this.#child.pid}/status`, 'utf8'))?.[1]
    return Number(kilobytes) / 1_024
  }

  /** For how long the main thread worked without a turn of the event loop, at most, while others did their work. */
  async held(work: () => Promise<void>): Promise<number> {
    await this.#tell('begin')
    await work()
    return this.#tell('end')
  }

  #tell(word: string): Promise<number> {
    return new Promise((resolve, reject) => {
      const ended = () => reject(new Error('the server has ended'))
      this.#child.once('exit', ended)
      this.#child.once('message', ({heldMs}: {heldMs: number}) => {
        this.#child.off('exit', ended)
        resolve(heldMs)
      })
      this.#child.send(word)
    })
  }

  stop(): void {
    this.#socket?.destroy()
    this.#child.kill('SIGKILL')
    rmSync(this.#dataDir, {recursive: true, force: true})
  }
}

interface Answer {
  readonly status: number
  /** Of JSON that is no longer than a customer; undefined for all else. */
  readonly body: unknown
}

/** Reads one answer, by its length, or until the connection ends. */
function answered(socket: Socket, text: string, isLast: boolean): Promise<Answer | undefined> {
  return new Promise((resolve, reject) => {
    let read: Buffer = Buffer.alloc(0)
    const timer = setTimeout(() => reject(new Error('no answer')), longestAnswerMs)
    const isHead = text.startsWith('HEAD ')
    const end = () => {
      clearTimeout(timer)
      socket.off('data', take).off('close', end)
      if (/\r\nconnection: close\r\n/.test(headOf(read))) socket.destroy()
      const status = statusOf(read)
      resolve(status === undefined ? undefined : {status, body: bodyOf(read)})
    }
    const take = (chunk: Buffer) => {
      read = read.length === 0 ? chunk : Buffer.concat([read, chunk])
      if (!isLast && isWhole(read, isHead)) end()
    }
    socket.on('data', take).once('close', end)
    if (isLast) socket.end(text)
    else socket.write(text)
  })
}

/** Status and headers of an answer, in lower case. */
const headOf = (read: Buffer): string => read.toString('latin1', 0, read.indexOf('\r\n\r\n') + 2).toLowerCase()

const statusOf = (read: Buffer): number | undefined => {
  const status = /^HTTP\/1\.1 (\d{3})/.exec(read.toString('latin1', 0, 20))?.[1]
  return status === undefined ? undefined : Number(status)
}

function bodyOf(read: Buffer): unknown {
  const from = read.indexOf('\r\n\r\n') + 4
  if (read.length - from > 100_000) return undefined
  try {
    return JSON.parse(read.toString('utf8', from))
  } catch {
    return undefined
  }
}

function isWhole(read: Buffer, isHead: boolean): boolean {
  const cut = read.indexOf('\r\n\r\n')
  if (cut < 0 || isHead) return cut >= 0
  const head = headOf(read)
  const length = /\r\ncontent-length: (\d+)/.exec(head)?.[1]
  if (length === undefined && head.includes('chunked')) return read.subarray(-5).toString() === '0\r\n\r\n'
  return read.length - cut - 4 >= Number(length ?? 0)
}
