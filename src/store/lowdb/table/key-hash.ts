import {randomInt} from 'node:crypto'

/** The tags of ids and unique keys; those of facets follow in their order. */
export const idTag = 1
export const uniqueKeyTag = 2
export const facetTag = (index: number): number => 3 + index

/** A 32-bit hash of a text. Not cryptographic: matches are compared with the text itself. */
function hashOf(text: string, seed: number): number {
  let hash = seed ^ text.length
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x85ebca6b)
    hash ^= hash >>> 15
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0xc2b2ae35)
  return (hash ^ (hash >>> 13)) >>> 0
}

/** A seed for the hashes of an index. Random for each state, so that nobody can choose keys that collide. */
export const newSeed = (): number => randomInt(2 ** 32 - 1)

/** Segments of one state share their seed, and one after the other is asked for the same text. */
const last = {text: '', seed: 0, hash: hashOf('', 0)}

/** The hash of a tagged text. */
export function keyHash(tag: number, text: string, seed: number): number {
  const own = seed ^ Math.imul(tag, 0x9e3779b1)
  if (last.seed !== own || last.text !== text) {
    last.hash = hashOf(text, own)
    last.seed = own
    last.text = text
  }
  return last.hash
}
