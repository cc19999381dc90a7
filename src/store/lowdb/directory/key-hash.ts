import {randomInt} from 'node:crypto'

/** A seed for the hashes of a table. Random, so that nobody can choose keys that collide. */
export const newSeed = (): number => randomInt(2 ** 32 - 1)

/** A hash of a text, of 27 bits. Not cryptographic: matches are compared with the text itself. */
export function keyHash(text: string, seed: number): number {
  let hash = seed ^ text.length
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x85ebca6b)
    hash ^= hash >>> 15
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0xc2b2ae35)
  return (hash ^ (hash >>> 13)) >>> 5
}
