import {type ServerResponse, STATUS_CODES} from 'node:http'

/** Writes the heads of answers: names and values in turn. No value reaches the wire that was not made safe here. */

const unsafe = /[^\x20-\x7e]/
const eachUnsafe = new RegExp(unsafe.source, 'gu')

const percentEncoded = (character: string): string =>
  [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')

/** Printable ASCII; the bytes of every other character are percent-encoded. */
const safe = (value: string): string => (unsafe.test(value) ? value.replace(eachUnsafe, percentEncoded) : value)

/** Hardly ever one of them has to be changed. */
function safeHeaders(headers: readonly string[]): readonly string[] {
  for (let at = 1; at < headers.length; at += 2) {
    if (unsafe.test(headers[at] as string)) return headers.map((text, place) => (place % 2 === 0 ? text : safe(text)))
  }
  return headers
}

export function writeHead(response: ServerResponse, status: number, headers: readonly string[]): void {
  response.writeHead(status, safeHeaders(headers) as string[])
}

/** The head for a connection that has no response. */
export function headText(status: number, headers: readonly string[]): string {
  const lines = safeHeaders(headers).map((text, at) => (at % 2 === 0 ? `${text}: ` : `${text}\r\n`))
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n`
}
