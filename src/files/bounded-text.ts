import {readSync} from 'node:fs'

const pieceBytes = 65_536

/** The text of a file that somebody named, up to so many bytes; undefined if it has more. A device may never end. */
export function boundedText(file: number, mostBytes: number): string | undefined {
  const pieces: Buffer[] = []
  for (let size = 0; size <= mostBytes; ) {
    const piece = Buffer.allocUnsafe(pieceBytes)
    const length = readSync(file, piece)
    if (length === 0) return Buffer.concat(pieces).toString()
    pieces.push(piece.subarray(0, length))
    size += length
  }
  return undefined
}
