import {type ChildProcess, fork} from 'node:child_process'
import {readFileSync} from 'node:fs'
import {connect, type Socket} from 'node:net'
import {fileURLToPath} from 'node:url'
import {getIntrospectionQuery} from 'graphql'
import {operations} from '../../src/api/index.js'
import {openApi} from '../../src/api/openapi.js'
import {bundledScript} from '../crash/bundled-script.js'
import {basic, formOf, formType, send} from '../security/shop/wire.js'
import type {FuzzRequest, World} from './requests.js'

/** A server in a process of its own, and what is known of it. */

const script = bundledScript(fileURLToPath(new URL('../security/survival/worst-server.ts', import.meta.url)))
const longestAnswerMs = 60_000

export class Target {
  readonly #child: ChildProcess
  readonly #port: number
  readonly world: World
  /** Milliseconds that this machine takes for a megabyte of JSON. */
  readonly unitMs: number
  #socket: Socket | undefined

  private constructor(child: ChildProcess, origin: string, world: World, unitMs: number) {
    this.#child = child
    this.#port = Number(new URL(origin).port)
    this.world = world
    this.unitMs = unitMs
  }

  static async start(): Promise<Target> {
    const child = fork(script, {execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc']})
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
    const found = (await Promise.all(['customers', 'types', 'customer-groups', 'stores', 'carts'].map(listed))).flat()
    const {data: introspection} = await json('/demo/graphql', {query: getIntrospectionQuery()})
    const known = {
      id: found.map(({id}) => id),
      key: found.flatMap(({key}) => key ?? []),
      storeKey: found.flatMap(({key}) => key ?? []),
      version: [1, 2, 3, 4, 5],
      email: ['fuzz@example.com', 'FUZZ@example.com', ...Array.from({length: 40}, (_, at) => `f${at}@example.com`)],
      password: ['right horse', 'wrong horse'],
      country: ['DE', 'US'],
    }
    const world = {introspection, document: await openApi(operations), known, authorizations, basic: clientOf}
    return new Target(child, origin, world, unitMs)
  }

  /** The status of the answer; undefined for a connection that ended without one. */
  async ask({text, isBroken}: FuzzRequest): Promise<number | undefined> {
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
  }
}

/** Reads one answer, by its length, or until the connection ends. */
function answered(socket: Socket, text: string, isLast: boolean): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    let read: Buffer = Buffer.alloc(0)
    const timer = setTimeout(() => reject(new Error('no answer')), longestAnswerMs)
    const isHead = text.startsWith('HEAD ')
    const end = () => {
      clearTimeout(timer)
      socket.off('data', take).off('close', end)
      if (/\r\nconnection: close\r\n/.test(headOf(read))) socket.destroy()
      resolve(statusOf(read))
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

function isWhole(read: Buffer, isHead: boolean): boolean {
  const cut = read.indexOf('\r\n\r\n')
  if (cut < 0 || isHead) return cut >= 0
  const head = headOf(read)
  const length = /\r\ncontent-length: (\d+)/.exec(head)?.[1]
  if (length === undefined && head.includes('chunked')) return read.subarray(-5).toString() === '0\r\n\r\n'
  return read.length - cut - 4 >= Number(length ?? 0)
}
