import {constants} from 'node:fs'
import {type FileHandle, open} from 'node:fs/promises'

const {O_NOFOLLOW, O_RDONLY} = constants
const blockBytes = 65_536

/** One line of a file without its end, its number from 1, and the bytes that it takes, end included. */
export interface Line {
  readonly text: string
  readonly line: number
  readonly start: number
  readonly end: number
}

/** What came of a line that has not ended yet, with its number and its start. */
export const noLine = () => ({rest: Buffer.alloc(0) as Buffer, line: 1, start: 0})

/** The lines that end in a chunk. What it leaves open is kept for the next. */
export function* linesIn(chunk: Buffer, open: ReturnType<typeof noLine>): Generator<Line> {
  const bytes = open.rest.length > 0 ? Buffer.concat([open.rest, chunk]) : chunk
  let from = 0
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, from)) {
    const {line, start} = open
    open.line += 1
    open.start += at + 1 - from
    yield {text: bytes.toString('utf8', from, at), line, start, end: open.start}
    from = at + 1
  }
  open.rest = bytes.subarray(from)
}

/** The whole lines of a file; one without its end is left out. */
export async function* linesOf(path: string): AsyncGenerator<Line> {
  const file = await open(path, O_RDONLY | O_NOFOLLOW)
  try {
    const last = noLine()
    for await (const chunk of file.createReadStream({autoClose: false}) as AsyncIterable<Buffer>)
      yield* linesIn(chunk, last)
  } finally {
    await file.close()
  }
}

/** The line of an open file that begins at a place, without its end. */
export async function lineAt(file: FileHandle, start: number): Promise<Buffer> {
  for (let size = 4096; ; size *= 4) {
    const {buffer, bytesRead} = await file.read(Buffer.alloc(size), 0, size, start)
    const end = buffer.subarray(0, bytesRead).indexOf(10)
    if (end !== -1 || bytesRead < size) return buffer.subarray(0, end === -1 ? bytesRead : end)
  }
}

/** The same lines from the last to the first, of a file whose whole lines end at `from`. */
export async function* linesBackwards(path: string, from: number): AsyncGenerator<string> {
  const file = await open(path, O_RDONLY | O_NOFOLLOW)
  try {
    let rest = Buffer.alloc(0)
    for (let left = from; left > 0; ) {
      const size = Math.min(blockBytes, left)
      left -= size
      const {buffer} = await file.read(Buffer.alloc(size), 0, size, left)
      const bytes = Buffer.concat([buffer, rest])
      let to = bytes.length - 1
      for (let at = before(bytes, to); at !== -1; at = before(bytes, to)) {
        yield bytes.toString('utf8', at + 1, to)
        to = at
      }
      rest = bytes.subarray(0, to + 1)
    }
    if (rest.length > 0) yield rest.toString('utf8', 0, rest.length - 1)
  } finally {
    await file.close()
  }
}

/** Where the line that ends at `to` is preceded by the end of another; -1 if by none. */
const before = (bytes: Buffer, to: number): number => (to > 0 ? bytes.lastIndexOf(10, to - 1) : -1)
