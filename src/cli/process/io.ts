import {writeSync} from 'node:fs'
import type {Readable, Writable} from 'node:stream'
import {hasCode} from '../../files/file-errors.js'
import {guarded} from './terminal.js'

/** Streams, environment and clock of one run, injected so that tests run commands in process and in parallel. */
export interface Io {
  readonly stdin: Readable & {readonly isTTY?: boolean}
  readonly stdout: Writable & {readonly isTTY?: boolean; readonly columns?: number}
  readonly stderr: Writable & {readonly isTTY?: boolean; readonly columns?: number}
  readonly env: Environment
  /** Milliseconds since the epoch. */
  readonly clock: () => number
  /** Replaces the pause before a retry in tests; absent: a real timer. */
  readonly wait?: (milliseconds: number) => Promise<unknown>
}

export type Environment = Readonly<Record<string, string | undefined>>

/** The same streams, with everything that is written to a terminal sanitized. */
export const guardedIo = (io: Io): Io => ({
  ...io,
  stdout: guarded(io.stdout, isPlain(io.env)),
  stderr: guarded(io.stderr, isPlain(io.env)),
})

type OnError = (stream: NodeJS.WriteStream, error: NodeJS.ErrnoException) => void
let onError: OnError | undefined
const opened = new Set<NodeJS.WriteStream>()

export function onStreamErrors(listener: OnError): void {
  onError = listener
}

function opening(stream: NodeJS.WriteStream): NodeJS.WriteStream {
  if (!opened.has(stream)) {
    stream.on('error', (error) => onError?.(stream, error))
    if (!['pipe', 'tty'].includes((stream as {_type?: string})._type ?? ''))
      stream._write = writeWhole.bind(stream as NodeJS.WriteStream & {readonly fd: number})
  }
  opened.add(stream)
  return guarded(stream, isPlain(process.env))
}

/**
 * Writes to a file or a device until all is taken. Node writes once, and takes less for all where a disk is full or a
 * limit is reached (nodejs/node#12921), and none for a socket that keeps messages apart. libuv writes pipes and terminals.
 */
function writeWhole(
  this: {readonly fd: number},
  chunk: Uint8Array,
  _encoding: BufferEncoding,
  done: (error?: Error | null) => void,
): void {
  try {
    for (let taken = 0; taken < chunk.length; ) taken += writeSync(this.fd, chunk, taken)
  } catch (error) {
    done(error as Error)
    return
  }
  done()
}

/** The reader of stdout has closed the pipe (`| head`): ends the run without a word. */
export class PipeClosed extends Error {
  override readonly name = 'PipeClosed'
}

/** Resolves once the stream has taken the text. Rejects with PipeClosed, or with the error of a file. */
export function written(stream: Writable, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => {
      if (!error) resolve()
      else reject(hasCode(error, 'EPIPE') ? new PipeClosed() : error)
    })
  })
}

/** All that a stream has, as text. Throws for more bytes than the limit. */
export async function textWithin(
  stream: AsyncIterable<Uint8Array | string>,
  limitBytes: number,
  tooLong: () => Error,
): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk)
    size += bytes.length
    if (size > limitBytes) throw tooLong()
    chunks.push(bytes)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** The streams of this process. They are getters, since opening one costs milliseconds; most commands use stdout alone. */
export const processIo: Io = {
  get stdin() {
    return process.stdin
  },
  get stdout() {
    return opening(process.stdout)
  },
  get stderr() {
    return opening(process.stderr)
  },
  env: process.env,
  clock: Date.now,
}

/** The value of a variable. An empty value counts as unset, since shells make it hard to unset one. */
export function variable(env: Environment, name: string): string | undefined {
  const value = env[name]
  return value === undefined || value === '' ? undefined : value
}

/** The values of a flag in arguments that nobody has parsed: `--profile=NAME`, `-P NAME`, and `-qPNAME` behind switches. */
export const valuesIn = (argv: readonly string[], name: string, char: string): readonly string[] =>
  argv.flatMap((argument, at) => {
    const [found, value] = new RegExp(`^(?:--${name}|-[qvyh]*${char})(?:=?(.+))?$`, 's').exec(argument) ?? []
    return found === undefined ? [] : (value ?? argv[at + 1] ?? [])
  })

/** A switch in the environment: `1`, `true`, `yes` or any other text but `0`, `false` and `no`. */
export function isOn(env: Environment, name: string): boolean {
  const value = variable(env, name)?.toLowerCase()
  return value !== undefined && !['0', 'false', 'no', 'off'].includes(value)
}

/** Whether a terminal moves no cursor and knows no styles. */
export const isDumb = (env: Environment): boolean => variable(env, 'TERM') === 'dumb'

/**
 * Whether a terminal is for plain lines of ASCII: dumb, or in a locale without more. An unset locale counts as UTF-8.
 */
export function isPlain(env: Environment): boolean {
  const locale = variable(env, 'LC_ALL') ?? variable(env, 'LC_CTYPE') ?? variable(env, 'LANG')
  return isDumb(env) || (locale !== undefined && !/utf-?8/i.test(locale))
}
