import {once} from 'node:events'
import {connect, type Socket} from 'node:net'

export interface Call {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface Answer {
  readonly status: number
  readonly text: string
}

const headEnd = Buffer.from('\r\n\r\n')
const lengthHeader = /\r\ncontent-length: (\d+)/i
const isLast = /\r\nconnection: close/i

async function connected({port, hostname}: URL): Promise<Socket> {
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  return socket
}

/**
 * A connection that stays open, one request at a time. It knows just the HTTP that the servers of the benchmark speak:
 * the load generator shares the cores with them, and a full client costs more than most requests.
 */
export class Connection {
  readonly #origin: URL
  readonly #patienceMs: number
  #socket: Socket
  #chunks: Buffer[] = []
  #received = 0
  /** Bytes of the answer, once its head has arrived. */
  #expected = 0
  #headBytes = 0
  #isLast = false
  #waiting: {resolve: (answer: Answer) => void; reject: (error: Error) => void} | undefined

  private constructor(origin: URL, patienceMs: number, socket: Socket) {
    this.#origin = origin
    this.#patienceMs = patienceMs
    this.#socket = this.#listening(socket)
  }

  /** An answer that takes longer than `patienceMs` is an error. */
  static async open(origin: string, patienceMs: number): Promise<Connection> {
    const url = new URL(origin)
    return new Connection(url, patienceMs, await connected(url))
  }

  async send({method, path, body, headers = {}}: Call): Promise<Answer> {
    // The server ends a connection after so many requests.
    if (this.#socket.destroyed) this.#socket = this.#listening(await connected(this.#origin))
    let head = `${method} ${path} HTTP/1.1\r\nhost: ${this.#origin.host}\r\n`
    for (const [name, value] of Object.entries(headers)) head += `${name}: ${value}\r\n`
    if (body !== undefined) {
      if (headers['content-type'] === undefined) head += 'content-type: application/json\r\n'
      head += `content-length: ${Buffer.byteLength(body)}\r\n`
    }
    return new Promise((resolve, reject) => {
      this.#waiting = {resolve, reject}
      this.#socket.write(`${head}\r\n${body ?? ''}`)
    })
  }

  close(): void {
    this.#socket.destroy()
  }

  #listening(socket: Socket): Socket {
    socket.setNoDelay(true)
    socket.setTimeout(this.#patienceMs, () => {
      if (this.#waiting) socket.destroy(new Error(`no answer within ${this.#patienceMs} ms`))
    })
    socket.on('data', (chunk: Buffer) => this.#receive(chunk))
    socket.on('error', (error) => this.#waiting?.reject(error))
    socket.on('close', () => this.#waiting?.reject(new Error('the server closed the connection')))
    return socket
  }

  #receive(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#received += chunk.length
    if (this.#expected === 0) this.#readHead()
    if (this.#expected === 0 || this.#received < this.#expected) return
    const bytes = Buffer.concat(this.#chunks)
    const status = Number(bytes.subarray(9, 12).toString('latin1'))
    const answer = {status, text: bytes.toString('utf8', this.#headBytes, this.#expected)}
    if (this.#isLast) this.#socket.destroy()
    const {resolve} = this.#waiting ?? {}
    this.#waiting = undefined
    this.#chunks = []
    this.#received = 0
    this.#expected = 0
    resolve?.(answer)
  }

  #readHead(): void {
    const bytes = this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks)
    const end = bytes.indexOf(headEnd)
    if (end < 0) return
    const head = bytes.toString('latin1', 0, end)
    const [, length = '0'] = lengthHeader.exec(head) ?? []
    this.#isLast = isLast.test(head)
    this.#headBytes = end + headEnd.length
    this.#expected = this.#headBytes + Number(length)
  }
}
