import {type ChildProcess, spawn} from 'node:child_process'
import type {WebSocket} from 'undici'
import {undici} from '../../../src/domain/verified-tls.js'
import {browser} from '../../cli/page/browser.js'
import {newDirectory} from '../../store/directory.js'

/** A real browser, driven over the Chrome DevTools protocol. */

/** Whether this machine has a browser to try the window in. */
export const hasBrowser = browser !== undefined

const patienceMs = 20_000

type Params = Readonly<Record<string, unknown>>
type Heard = (params: Record<string, unknown>) => void

/** The connection to a browser, and commands over it. */
class Connection {
  readonly #socket: WebSocket
  readonly #waiting = new Map<number, {resolve: (value: Params) => void; reject: (error: Error) => void}>()
  readonly heard = new Map<string, Heard>()
  #last = 0

  constructor(socket: WebSocket) {
    this.#socket = socket
    socket.addEventListener('message', ({data}) => {
      const {id, result, error, method, params, sessionId} = JSON.parse(String(data))
      const waiting = this.#waiting.get(id)
      this.#waiting.delete(id)
      if (error) waiting?.reject(new Error(error.message))
      else if (waiting) waiting.resolve(result)
      else this.heard.get(`${sessionId} ${method}`)?.(params)
    })
    // One that ends does not answer any more.
    socket.addEventListener('close', () => {
      for (const {reject} of this.#waiting.values()) reject(new Error('The browser has ended.'))
      this.#waiting.clear()
    })
  }

  send(method: string, params: Params = {}, sessionId?: string): Promise<Record<string, unknown>> {
    this.#last += 1
    const id = this.#last
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, {resolve, reject})
      this.#socket.send(JSON.stringify({id, method, params, sessionId}))
    })
  }

  close(): void {
    this.#socket.close()
  }
}

/** One tab. */
export class Page {
  readonly #connection: Connection
  readonly #session: string
  /** The addresses that it has asked. */
  readonly asked: string[] = []

  constructor(connection: Connection, session: string) {
    this.#connection = connection
    this.#session = session
    connection.heard.set(`${session} Network.requestWillBeSent`, ({request}) => {
      this.asked.push((request as {url: string}).url)
    })
  }

  send(method: string, params: Params = {}): Promise<Record<string, unknown>> {
    return this.#connection.send(method, params, this.#session)
  }

  /** The value of an expression, once a promise of it is settled. Throws what the page throws. */
  async read<T = unknown>(expression: string): Promise<T> {
    const {result, exceptionDetails} = (await this.send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    })) as {result: {value: T}; exceptionDetails?: {exception?: {description?: string}}}
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? expression)
    return result.value
  }

  async size(width: number, height: number): Promise<void> {
    await this.send('Emulation.setDeviceMetricsOverride', {width, height, deviceScaleFactor: 1, mobile: false})
  }

  async goto(url: string): Promise<void> {
    await this.send('Page.navigate', {url})
    await this.until('document.readyState === "complete"')
  }

  /** Resolves once an expression holds; throws with what the page shows if it never does. */
  async until(expression: string): Promise<void> {
    const end = performance.now() + patienceMs
    for (;;) {
      // A page that is being left has no value.
      const holds = await this.read<boolean>(`Boolean(${expression})`).catch(() => false)
      if (holds) return
      if (performance.now() > end) {
        throw new Error(`${expression} never holds in: ${await this.read('document.body?.innerText')}`)
      }
      await this.read('new Promise((resolve) => setTimeout(resolve, 20))').catch(() => undefined)
    }
  }

  shows(text: string): Promise<void> {
    return this.until(`document.body.innerText.includes(${JSON.stringify(text)})`)
  }

  /** Presses keys as a keyboard does: `Tab`, `Enter`, `shift+Tab`, or the letters of a text. */
  async press(...names: string[]): Promise<void> {
    for (const name of names) {
      const [key = '', modifiers] = name.startsWith('shift+') ? [name.slice(6), 8] : [name, 0]
      const text = {Enter: '\r', Space: ' '}[key] ?? (key.length === 1 ? key : undefined)
      const code = {Tab: 9, Enter: 13, Space: 32, ArrowDown: 40, ArrowUp: 38}[key] ?? 0
      const event = {key: key === 'Space' ? ' ' : key, code: key, windowsVirtualKeyCode: code, modifiers}
      await this.send('Input.dispatchKeyEvent', {type: 'keyDown', ...event, ...(text ? {text} : {})})
      await this.send('Input.dispatchKeyEvent', {type: 'keyUp', ...event})
    }
  }

  async type(text: string): Promise<void> {
    await this.send('Input.insertText', {text})
  }

  /** Puts a value into a field, as typing does. */
  async fill(id: string, value: string): Promise<void> {
    const field = `document.querySelector('#${id}')`
    await this.until(field)
    await this.read(
      `${field}.focus(), ${field}.value = ${JSON.stringify(value)}, ${field}.dispatchEvent(new Event('input'))`,
    )
  }

  async clickButton(text: string): Promise<void> {
    const found = `[...document.querySelectorAll('button')].find((one) => one.innerText.includes(${JSON.stringify(text)}))`
    await this.until(found)
    await this.read(`${found}.click()`)
  }

  async click(selector: string): Promise<void> {
    await this.until(`document.querySelector(${JSON.stringify(selector)})`)
    await this.read(`document.querySelector(${JSON.stringify(selector)}).click()`)
  }
}

export class Browser {
  readonly #child: ChildProcess
  readonly #connection: Connection

  private constructor(child: ChildProcess, connection: Connection) {
    this.#child = child
    this.#connection = connection
  }

  static async launch(): Promise<Browser> {
    const child = spawn(
      browser ?? 'chromium',
      [
        ...['--headless=new', '--no-sandbox', '--disable-gpu', '--remote-debugging-port=0', '--no-first-run'],
        ...['--disable-background-networking', '--disable-component-update', `--user-data-dir=${newDirectory()}`],
        'about:blank',
      ],
      {stdio: ['ignore', 'ignore', 'pipe']},
    )
    const address = await new Promise<string>((resolve, reject) => {
      let text = ''
      child.stderr?.on('data', (chunk: Buffer) => {
        text += chunk
        const found = /DevTools listening on (ws:\S+)/.exec(text)?.[1]
        if (found !== undefined) resolve(found)
      })
      child.once('exit', () => reject(new Error(`the browser ended: ${text}`)))
    })
    const {WebSocket: Socket} = await undici()
    const socket = new Socket(address)
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve, {once: true})
      socket.addEventListener('error', reject, {once: true})
    })
    return new Browser(child, new Connection(socket))
  }

  async page(): Promise<Page> {
    const {targetId} = await this.#connection.send('Target.createTarget', {url: 'about:blank'})
    const {sessionId} = await this.#connection.send('Target.attachToTarget', {targetId, flatten: true})
    const page = new Page(this.#connection, String(sessionId))
    await page.send('Page.enable')
    await page.send('Network.enable')
    await page.send('Runtime.enable')
    return page
  }

  async close(): Promise<void> {
    const child = this.#child
    const hasEnded = child.exitCode !== null || child.signalCode !== null
    const ended = hasEnded ? undefined : new Promise((resolve) => child.once('exit', resolve))
    // One that does not end when it is asked to is ended.
    const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs)
    await this.#connection.send('Browser.close').catch(() => undefined)
    this.#connection.close()
    await ended
    clearTimeout(timer)
  }
}
