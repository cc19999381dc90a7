/** What a text in JSON has that is not itself, as bytes. */
const encoded = /[\\\x80-\xff]/

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const [opened, openedList, closed, closedList] = [0x7b, 0x5b, 0x7d, 0x5d]

/**
 * The text of a member of a document, from its JSON as `JSON.stringify` makes it, a character for each byte: what stands
 * behind it is not looked at. Undefined if there is no such member, or its value is no text in plain ASCII.
 */
export function plainMember(json: string, name: string): string | undefined {
  const wanted = `"${name}":`
  for (let at = 1; json.charCodeAt(at) === quote; ) {
    const isWanted = json.startsWith(wanted, at)
    const start = endOfText(json, at) + 1
    const end = endOfValue(json, start)
    if (isWanted) return json.charCodeAt(start) === quote ? plain(json.slice(start + 1, end - 1)) : undefined
    at = end + 1
  }
  return undefined
}

const plain = (text: string): string | undefined => (encoded.test(text) ? undefined : text)

/** Behind the text that begins with the quote there. */
function endOfText(json: string, start: number): number {
  let at = start + 1
  while (at < json.length && json.charCodeAt(at) !== quote) at += json.charCodeAt(at) === backslash ? 2 : 1
  return at + 1
}

/** Behind the value that begins there. */
function endOfValue(json: string, start: number): number {
  let depth = 0
  for (let at = start; at < json.length; at += 1) {
    const code = json.charCodeAt(at)
    if (code === quote) {
      at = endOfText(json, at) - 1
      if (depth === 0) return at + 1
    } else if (code === opened || code === openedList) depth += 1
    else if (code === closed || code === closedList) {
      if (depth <= 1) return depth === 1 ? at + 1 : at
      depth -= 1
    } else if (code === comma && depth === 0) return at
  }
  return json.length
}
