import {InputError} from './input-error.js'
import type {TextAt} from './json-values.js'
import {maxRowBytes} from './row.js'
import type {Source} from './source.js'

const newline = 0x0a

/** The lines of a source that are not blank. */
export async function* textLines(source: Source, chunks: AsyncIterable<Buffer>): AsyncGenerator<TextAt> {
  let rest: Buffer = Buffer.alloc(0)
  let line = 0
  for await (const chunk of chunks) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    let from = 0
    for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, from)) {
      line += 1
      const text = bytes.toString('utf8', from, at)
      if (text.trim() !== '') yield {text, line}
      from = at + 1
    }
    rest = bytes.subarray(from)
    if (rest.length > maxRowBytes) {
      throw new InputError(`Line ${line + 1} of ${source.name} is longer than ${maxRowBytes} bytes.`, {
        file: source.name,
        line: line + 1,
      })
    }
  }
  const text = rest.toString('utf8')
  if (text.trim() !== '') yield {text, line: line + 1}
}
