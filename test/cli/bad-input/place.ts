import {writeFileSync} from 'node:fs'
import {createServer, type Server, type ServerResponse} from 'node:http'
import type {AddressInfo} from 'node:net'
import {join} from 'node:path'
import {expect} from 'chai'
import {type RunningServer, startServer} from '../../../src/index.js'
import {Desk, type Ended, type RunOptions} from '../run.js'

/** Where a row is tried: a machine of its own, a server, and a server that answers whatever it is told. */
export class Place {
  readonly desk = new Desk()
  readonly real: RunningServer
  readonly #fake: Server
  /** What the fake server does; the paths that it was asked for. */
  answer: (response: ServerResponse) => void = (response) => response.end()
  readonly asked: string[] = []

  private constructor(real: RunningServer) {
    this.real = real
    this.#fake = createServer((request, response) => {
      request.resume()
      this.asked.push(`${request.method} ${request.url}`)
      this.answer(response)
    })
  }

  static async open(): Promise<Place> {
    const place = new Place(await startServer({dataDir: ':memory:', projectKey: 'shop', settings: {passwordCost: 4}}))
    await new Promise<void>((resolve) => place.#fake.listen(0, '127.0.0.1', resolve))
    return place
  }

  async close(): Promise<void> {
    this.desk.remove()
    this.#fake.closeAllConnections()
    this.#fake.close()
    await this.real.stop()
  }

  get fakeUrl(): string {
    return `http://127.0.0.1:${(this.#fake.address() as AddressInfo).port}`
  }

  /** Variables that lead to the fake server, with a token of nobody. */
  get toFake(): Record<string, string> {
    return {FRONTDESK_API_URL: this.fakeUrl, ...this.nobody}
  }

  get nobody(): Record<string, string> {
    return {FRONTDESK_PROJECT_KEY: 'shop', FRONTDESK_TOKEN: 'token-of-nobody', FRONTDESK_RETRIES: '0'}
  }

  /** Variables that lead to the real server as its first client. */
  get toReal(): Record<string, string> {
    const {apiUrl, client} = this.real
    return {
      FRONTDESK_API_URL: apiUrl,
      FRONTDESK_PROJECT_KEY: 'shop',
      FRONTDESK_CLIENT_ID: client?.clientId ?? '',
      FRONTDESK_CLIENT_SECRET: client?.clientSecret ?? '',
    }
  }

  file(name: string, text: string | Uint8Array, mode = 0o600): string {
    const path = join(this.desk.folder, name)
    writeFileSync(path, text, {mode})
    return path
  }

  /** Runs a command line and expects its code, the same with --json. Tells what people see. */
  readonly ends = async (code: number, argv: readonly string[], options: RunOptions = {}): Promise<string> => {
    const json = await this.desk.run([...argv, '--json'], options)
    expect(json.code, `${argv.join(' ')} --json\n${json.stderr}`).to.equal(code)
    const text = await this.once(code, argv, options)
    if (code !== 0 && code !== 10) {
      expect(json.json, argv.join(' ')).to.have.nested.property('error.exitCode', code)
      expect(text.stdout, argv.join(' ')).to.equal('')
      expect(text.stderr).to.not.match(/^\s+at .+:\d+:\d+\)?$/m)
    }
    return text.stdout + text.stderr
  }

  /** The same for what cannot be repeated. */
  async once(code: number, argv: readonly string[], options: RunOptions = {}): Promise<Ended> {
    const ended = await this.desk.run(argv, options)
    expect(ended.code, `${argv.join(' ')}\n${ended.stderr}`).to.equal(code)
    return ended
  }

  /** Expects that nobody of this key or email came into being. */
  async absent(ref: string): Promise<void> {
    await this.once(3, ['customers', 'exists', ref])
  }
}

/** What goes wrong, and how it must end. The number is the row's in the table of bad input. */
export type Rows = Readonly<Record<number, readonly [title: string, run: (place: Place) => Promise<void>]>>
