import {createHmac} from 'node:crypto'
import {canonicalEmail} from '../../domain/customers/identity.js'
import {capital} from '../../domain/equal.js'
import type {PseudonymKind} from '../../domain/field.js'

const onsets = 'b d f g k l m n p r s t v z br dr kr pl tr zw'.split(' ')
const vowels = ['a', 'e', 'i', 'o', 'u', 'ua', 'ei', 'ou']
const codas = ['vik', 'zol', 'mund', 'tarn', 'dox', 'quil', 'bren', 'vost', 'zan', 'mir', 'plen', 'garth']
const domains = ['example.com', 'example.net', 'example.org']

/** A stream of numbers below a bound, drawn from a keyed digest of a value. */
function drawing(seed: string, kind: string, value: string): Draw {
  let block = Buffer.alloc(0)
  let drawn = 0
  return (below) => {
    // A digest has eight numbers.
    const at = drawn % 8
    if (at === 0)
      block = createHmac('sha256', seed)
        .update([kind, drawn / 8, value].join('\0'))
        .digest()
    drawn += 1
    return block.readUInt32BE(at * 4) % below
  }
}

type Draw = (below: number) => number

const pick = (list: readonly string[], draw: Draw): string => list[draw(list.length)] ?? ''

/** Three invented syllables: no list of real names, so nobody's name can come out by chance. */
const word = (draw: Draw): string =>
  pick(onsets, draw) + pick(vowels, draw) + pick(onsets, draw) + pick(vowels, draw) + pick(codas, draw)

const two = (value: number): string => value.toString().padStart(2, '0')

/** Invented values that depend on nothing but a seed and the value they stand for. */
export function pseudonyms(seed: string) {
  const draw = (kind: string, value: string): Draw => drawing(seed, kind, value)
  const fullDigest = (kind: string, value: string): string =>
    createHmac('sha256', seed).update(`${kind}\0${value}`).digest('hex')
  const digest = (kind: string, value: string): string => fullDigest(kind, value).slice(0, 20)
  return {
    /** A made-up name of people, in capitals where names have them. */
    name: (value: string) => capital(word(draw('name', value))),
    /** Unique for every email, at a domain that is reserved for examples (RFC 2606). */
    email: (value: string) => {
      const canonical = canonicalEmail(value)
      const from = draw('email', canonical)
      return `${word(from)}.${digest('email', canonical)}@${pick(domains, from)}`
    },
    /** A number that is reserved for fiction. */
    phone: (value: string) => `+447700900${draw('phone', value)(1000).toString().padStart(3, '0')}`,
    company: (value: string) => `${capital(word(draw('company', value)))} Ltd`,
    street: (value: string) => `${capital(word(draw('street', value)))} Way`,
    city: (value: string) => `${capital(word(draw('city', value)))}ton`,
    /** Other letters for letters, other digits for digits, anything else as it is. */
    shape: (value: string) => {
      const other = shaped(value, draw('shape', value))
      return other === value ? nextShape(value) : other
    },
    /** The same, of a district that hardly any country has. */
    postalCode: (value: string) => shaped(value, draw('postal', value)).replace(/\d{2}/, '00'),
    key: (value: string) => `anon-${digest('key', value)}`,
    /** A number with other digits, and as many. */
    number: (value: number) => numberLike(value, draw('number', String(value))),
    id: (value: string) => (uuidForm.test(value) ? uuid(fullDigest('id', value)) : digest('id', value).slice(0, 8)),
    /** Another time of the day, in whole seconds. */
    time: (value: string) => {
      const from = draw('time', value)
      return `${two(from(24))}:${two(from(60))}:${two(from(60))}.000`
    },
    /** Another day of the same year. */
    date: (value: string) =>
      `${value.slice(0, 4)}-${two(1 + draw('month', value)(12))}-${two(1 + draw('day', value)(28))}`,
  } satisfies Readonly<Record<PseudonymKind, (value: string) => string>> & Readonly<Record<string, unknown>>
}

export type Pseudonyms = ReturnType<typeof pseudonyms>

/** Other digits in the same places; a whole number stays one that JSON carries exactly. */
function numberLike(value: number, draw: Draw): number {
  const other = Number(String(value).replace(/(?<!e[+-]?\d*)\d/g, () => draw(10).toString()))
  return Number.isSafeInteger(value) && !Number.isSafeInteger(other) ? other % Number.MAX_SAFE_INTEGER : other
}

const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** 32 digits of a digest as a UUID of version 8, which is free for values of one's own (RFC 9562 §5.8). */
const uuid = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`

/** Each letter and digit replaced by the next: for the value that drew itself. */
const nextShape = (value: string): string =>
  value
    .replace(/\d/g, (digit) => `${(Number(digit) + 1) % 10}`)
    .replace(/[a-y]/gi, (letter) => String.fromCharCode(letter.charCodeAt(0) + 1))

function shaped(value: string, draw: Draw): string {
  return [...value]
    .map((character) => {
      if (/\p{Nd}/u.test(character)) return draw(10).toString()
      if (!/\p{L}/u.test(character)) return character
      const letter = String.fromCharCode(97 + draw(26))
      return /\p{Lu}/u.test(character) ? letter.toUpperCase() : letter
    })
    .join('')
}
