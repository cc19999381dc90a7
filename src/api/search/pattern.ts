/** Characters of a text: of one beyond U+FFFF two units are one. */
type Characters = string | readonly string[]

const hasPairs = (text: string): boolean => /[\ud800-\udfff]/.test(text)

/** A piece of a pattern between two `*`. */
interface Piece {
  readonly length: number
  /** The characters that are given, by their places; `?` stands for any. */
  readonly given: readonly (readonly [at: number, character: string])[]
}

const pieceOf = (text: string): Piece => {
  const characters = hasPairs(text) ? [...text] : text
  const given: [at: number, character: string][] = []
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at] as string
    if (character !== '?') given.push([at, character])
  }
  return {length: characters.length, given}
}

function standsAt(text: Characters, at: number, {given}: Piece): boolean {
  for (const [offset, character] of given) if (text[at + offset] !== character) return false
  return true
}

/** Whether a text fits: `*` stands for any characters, `?` for one. No piece is looked for before the end of the one before it. */
export function patternOf(pattern: string): (text: string) => boolean {
  const [first, ...between] = pattern.split('*').map(pieceOf) as [Piece, ...Piece[]]
  const last = between.pop()
  return (text) => {
    const characters = hasPairs(text) ? [...text] : text
    if (!last) return characters.length === first.length && standsAt(characters, 0, first)
    const end = characters.length - last.length
    if (end < first.length || !standsAt(characters, 0, first) || !standsAt(characters, end, last)) return false
    let at = first.length
    for (const piece of between) {
      while (at + piece.length <= end && !standsAt(characters, at, piece)) at += 1
      at += piece.length
      if (at > end) return false
    }
    return true
  }
}
