// Plain JavaScript, so that a worker starts from the sources as well, where no TypeScript loader reaches it.
import {createHash, createHmac, scryptSync, timingSafeEqual} from 'node:crypto'
import {parentPort} from 'node:worker_threads'
import bcrypt from 'bcryptjs'

/** @typedef {import('./worker-pool.js').PasswordTask} PasswordTask */
/** @typedef {import('./worker-pool.js').PasswordAnswer} PasswordAnswer */
/** @typedef {import('../domain/credentials/hash-check.js').HashCheck} HashCheck */
/** @typedef {import('../domain/credentials/hash-check.js').Argon2} Argon2 */

/** @template {HashCheck['kind']} K @typedef {Extract<HashCheck, {kind: K}>} Check */

/** @param {string} computed @param {string} expected */
function same(computed, expected) {
  const [a, b] = [Buffer.from(computed), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** As PHP's trim() does, which WordPress calls before it hashes. @param {string} text */
const trimmed = (text) => text.replace(/^[ \t\n\r\0\v]+/, '').replace(/[ \t\n\r\0\v]+$/, '')

/** @param {string} algorithm @param {(string | Buffer)[]} parts */
function digest(algorithm, ...parts) {
  const hash = createHash(algorithm)
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/** The library is loaded where the first hash needs it. @param {Buffer} password @param {Buffer} salt @param {Argon2} parameters */
async function argon2(password, salt, {variant, memoryKib, passes, lanes, length}) {
  const {argon2i, argon2id} = await import('hash-wasm')
  return (variant === 'i' ? argon2i : argon2id)({
    password,
    salt,
    memorySize: memoryKib,
    iterations: passes,
    parallelism: lanes,
    hashLength: length,
    outputType: 'hex',
  })
}

/** Magento repeats a short salt and cuts a long one. @param {string} salt */
const argon2Salt = (salt) => {
  const bytes = Buffer.from(salt)
  return Buffer.alloc(16, bytes)
}

const phpassDigits = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Six bits a digit, the lowest first. @param {Buffer} bytes */
function phpassText(bytes) {
  let text = ''
  for (let at = 0; at < bytes.length; at += 3) {
    const group = bytes.subarray(at, at + 3)
    const value = group.reduce((sum, byte, index) => sum | (byte << (8 * index)), 0)
    for (let digit = 0; digit <= group.length; digit += 1) text += phpassDigits[(value >> (6 * digit)) & 63]
  }
  return text
}

/** What compares, by the kind of a check. */
const comparisons = {
  /** @param {string} text @param {Check<'bcrypt'>} check */
  bcrypt: (text, {hash, macKey}) => {
    const password = macKey === undefined ? text : createHmac('sha384', macKey).update(trimmed(text)).digest('base64')
    return bcrypt.compareSync(password, hash)
  },
  /** @param {string} text @param {Check<'argon2'>} check */
  argon2: async (text, check) => {
    const computed = await argon2(Buffer.from(text), Buffer.from(check.salt, 'base64'), check)
    return same(computed, Buffer.from(check.digest, 'base64').toString('hex'))
  },
  /** @param {string} text @param {Check<'scrypt'>} check */
  scrypt: (text, {costLog2, blockSize: r, lanes: p, salt, digest: known}) => {
    const [N, expected] = [2 ** costLog2, Buffer.from(known, 'base64')]
    // OpenSSL counts a little more than the table itself.
    const maxmem = 128 * r * (N + p + 2) + 1024 * 1024
    const computed = scryptSync(text, Buffer.from(salt, 'base64'), expected.length, {N, r, p, maxmem})
    return timingSafeEqual(computed, expected)
  },
  /** @param {string} text @param {Check<'phpass'>} check */
  phpass: (text, {algorithm, rounds, salt, digest: expected}) => {
    const password = Buffer.from(trimmed(text))
    let computed = digest(algorithm, salt, password)
    for (let round = 0; round < rounds; round += 1) computed = digest(algorithm, computed, password)
    return same(phpassText(computed).slice(0, expected.length), expected)
  },
  /** @param {string} text @param {Check<'salted'>} check */
  salted: (text, {algorithm, salt, digest: expected}) => {
    const [before, behind] = [digest(algorithm, salt, text), digest(algorithm, text, salt)]
    const [isBefore, isBehind] = [same(before.toString('hex'), expected), same(behind.toString('hex'), expected)]
    return isBefore || isBehind
  },
  /** @param {string} text @param {Check<'repeated'>} check */
  repeated: (text, {algorithm, rounds, salt, digest: expected}) => {
    let computed = ''
    for (let round = 0; round < rounds; round += 1) computed = digest(algorithm, computed, text, salt).toString('hex')
    return same(computed, expected)
  },
  /** @param {string} text @param {Check<'layered'>} check */
  layered: async (text, {layers, salt, digest: expected}) => {
    let computed = text
    for (const layer of layers) {
      computed =
        typeof layer === 'string'
          ? digest(layer, salt, computed).toString('hex')
          : await argon2(Buffer.from(computed), argon2Salt(salt), layer)
    }
    return same(computed, expected)
  },
}

/** @param {string} text @param {HashCheck} check */
const matches = async (text, check) => await comparisons[check.kind](text, /** @type {never} */ (check))

// One hash at a time with the synchronous call: bcryptjs' asynchronous one only slices the same work.
parentPort?.on('message', async (/** @type {PasswordTask} */ {id, text, cost, check, decoys = []}) => {
  /** @type {PasswordAnswer} */
  const answer =
    check === undefined ? {id, hash: bcrypt.hashSync(text, cost)} : {id, matches: await matches(text, check)}
  for (const decoy of decoys) await matches(text, decoy)
  parentPort?.postMessage(answer)
})
