import type {Writable} from 'node:stream'
import {manyLines} from './sanitize.js'

/**
 * The terminal guard. All text of commands, exports, traces, logs and errors is written through it: characters that could
 * move the cursor, hide or reorder text, retitle the window or fill the clipboard are escaped. Files and pipes get the
 * bytes unchanged.
 */

type Stream = Writable & {readonly isTTY?: boolean; readonly columns?: number}

/** Clears the line of a progress bar. Only passed as a chunk of its own, so that no text can contain it. */
export const clearedLine = '\r\u001B[2K'

/** Bold, dim, underlined, the plain colours and their ends: all that our own output has, and what can do no harm. */
const styles = /\u001B\[(?:[0-24]|2[0-24]|3[0-79]|9[0-7])?m/g

/** The marks of our own texts as a terminal of ASCII shows them. */
const asciiMarks = new Map(Object.entries({'·': '-', '→': '->', '…': '...', '×': 'x', '▸': '>', '─': '-', '’': "'"}))
const marks = new RegExp(`[${[...asciiMarks.keys()].join('')}]`, 'g')

/** A chunk as a terminal may get it: lines and styles stay. */
function safe(text: string): string {
  if (text === clearedLine) return text
  let shown = ''
  let from = 0
  for (const style of text.matchAll(styles)) {
    shown += manyLines(text.slice(from, style.index)) + style[0]
    from = style.index + style[0].length
  }
  return shown + manyLines(text.slice(from))
}

const originals = new WeakMap<object, Stream>()

/** The stream itself if it is no terminal, else one that makes safe what is written to it; `isPlain`: in marks of ASCII. */
export function guarded<S extends Stream>(stream: S, isPlain: boolean): S {
  if (stream.isTTY !== true || originals.has(stream)) return stream
  const write = (chunk: string | Uint8Array, ...rest: never[]): boolean => {
    const text = safe(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8'))
    return stream.write(isPlain ? text.replace(marks, (mark) => asciiMarks.get(mark) ?? mark) : text, ...rest)
  }
  const guard = withMethods(stream, {write})
  originals.set(guard, stream)
  return guard
}

/** The stream with some of its methods replaced. */
export const withMethods = <S extends NodeJS.WritableStream>(stream: S, own: Readonly<Record<string, unknown>>): S =>
  new Proxy(stream, {
    get: (target, name) => {
      const member: unknown = Reflect.get(Object.hasOwn(own, name) ? own : target, name, target)
      return typeof member === 'function' ? (member.bind(target) as unknown) : member
    },
  })

/** The terminal without its guard: for prompts, which move the cursor themselves, and for programs that we run. */
export const unguarded = <S extends Stream>(stream: S): S => (originals.get(stream) as S | undefined) ?? stream
