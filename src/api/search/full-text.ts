import type {TextField} from '../../domain/search/search-text.js'
import {editDistance, editsFor, piecesOf} from '../../domain/search/words.js'
import type {Candidate, Contains, Search} from '../../store/searchable.js'
import {lineEnd, placesOf, type StrengthIn} from './steps.js'

/** Looks for words in search texts, and says how well they fit. */

/** Lower than every strength: no match. */
export const none = -1

/** How well a word fits, from which the relevance of a match is made. The order of the rows is that of relevance. */
const strengths = {
  name: {whole: 0.7, start: 0.6, near: 0.3},
  other: {whole: 0.4, start: 0.35, near: 0.2},
} as const

/** Added for words that are the whole name, in part for a part of it. */
const wholeNameBonus = 0.1
/** What each edit takes away of a fuzzy word's strength. */
const editPenalty = 0.2

/** How words are asked for: whole, by their beginnings, or with so many edits. */
export type WordMode = 'whole' | 'start' | {readonly level: number}

/** What words are worth in the lines that count, by the code of the tag. */
export type Tags = readonly (Worth | undefined)[]

type Worth = (typeof strengths)['name' | 'other']

export interface Matching extends Pick<Search, 'contains' | 'where'> {
  /** `none` for what does not match; undefined if the document has to tell and is not at hand. */
  readonly strength: (candidate: Candidate) => number | undefined
  /** Adds to the relevance, as what only filters does not. */
  readonly counts: boolean
  /** What only those have of which a line with the tag begins with the word. */
  readonly line?: LineBegin | undefined
}

export interface LineBegin {
  /** With the blank before it. */
  readonly word: string
  /** Its character code. */
  readonly tag: number
}

export const tagsOf = (texts: readonly Pick<TextField, 'tag' | 'tells'>[]): Tags => {
  const tags: (Worth | undefined)[] = Array.from({length: 128})
  for (const {tag, tells} of texts) tags[tag.charCodeAt(0)] = tells === 'name' ? strengths.name : strengths.other
  return tags
}

export const anyOf = (terms: readonly Contains[]): Contains => {
  const flat = terms.flatMap((term) => (typeof term === 'object' && 'any' in term ? term.any : [term]))
  const pieces = new Set(flat.filter((term) => typeof term === 'string'))
  // What holds wherever one of the pieces does adds nothing.
  const others = flat.filter(
    (term) => typeof term === 'object' && !('all' in term && term.all.some((one) => pieces.has(one as string))),
  )
  const all = [...pieces, ...others]
  return all.length === 1 ? (all[0] as Contains) : {any: all}
}

/** What is rare stands first: a long piece. */
export const allOf = (terms: readonly Contains[]): Contains => {
  const flat = [...new Set(terms.flatMap((term) => (typeof term === 'object' && 'all' in term ? term.all : [term])))]
  const lengthOf = (term: Contains): number => (typeof term === 'string' ? term.length : 0)
  return flat.length === 1 ? (flat[0] as Contains) : {all: flat.sort((a, b) => lengthOf(b) - lengthOf(a))}
}

const mostOf = (tags: Tags, fit: keyof Worth): number => Math.max(none, ...tags.map((worth) => worth?.[fit] ?? none))

export const containsWord = (spellings: readonly string[], mode: WordMode): Contains =>
  anyOf(
    spellings.flatMap((spelling) => {
      const edits = typeof mode === 'string' ? 0 : editsFor(spelling, mode.level)
      return edits === 0 ? [` ${spelling}`] : piecesOf(spelling, edits)
    }),
  )

const blank = 32

/** How well a word fits a text, `none` if it is in none of the lines: a function, since a search asks many texts. */
export function wordIn(spellings: readonly string[], mode: WordMode, tags: Tags): StrengthIn {
  const each = spellings.map((spelling) =>
    typeof mode === 'string' ? within(spelling, mode, tags) : near(spelling, mode.level, tags),
  )
  const [only] = each
  return only && each.length === 1 ? only : (text) => each.reduce((best, fits) => Math.max(best, fits(text)), none)
}

function within(word: string, mode: 'whole' | 'start', tags: Tags): StrengthIn {
  const needle = ` ${word}`
  const most = mostOf(tags, 'whole')
  return (text) => {
    let best = none
    for (const at of placesOf(needle, text)) {
      const next = text.charCodeAt(at + needle.length)
      const isWhole = Number.isNaN(next) || next === blank || next === lineEnd
      if (mode === 'whole' && !isWhole) continue
      best = Math.max(best, strengthAt(text, at, tags, isWhole ? 'whole' : 'start'))
      if (best === most) break
    }
    return best
  }
}

/** What a word is worth by the line in which it stands, none of which is long; `none` in one that is not asked for. */
const strengthAt = (text: string, at: number, tags: Tags, fit: keyof Worth): number =>
  tags[text.charCodeAt(text.lastIndexOf('\n', at) + 1)]?.[fit] ?? none

function near(word: string, level: number, tags: Tags): StrengthIn {
  const edits = editsFor(word, level)
  if (edits === 0) {
    const whole = within(word, 'whole', tags)
    return (text) => Math.min(whole(text), strengths.name.near)
  }
  const pieces = piecesOf(word, edits)
  const most = mostOf(tags, 'near')
  return (text) => {
    let best = none
    for (const piece of pieces) {
      let end = 0
      for (const at of placesOf(piece, text)) {
        if (at < end) continue
        end = endOfWord(text, at)
        const start = text.lastIndexOf(' ', at) + 1
        if (Math.abs(end - start - word.length) > edits) continue
        const strength = strengthAt(text, start, tags, 'near')
        const distance = strength > best ? editDistance(word, text.slice(start, end), edits) : undefined
        if (distance !== undefined) best = Math.max(best, strength * (1 - editPenalty * distance))
        if (best === most) return best
      }
    }
    return best
  }
}

/** Where the word ends that begins at a place: at a blank or the end of its line. */
function endOfWord(text: string, from: number): number {
  let at = from
  for (
    let code = text.charCodeAt(at);
    code !== blank && code !== lineEnd && at < text.length;
    code = text.charCodeAt(at)
  )
    at += 1
  return at
}

/** What is added if all words asked for are whole words of the name: most if they are all of it. */
export function nameBonus(text: string, asked: number, strength: number, tags: Tags): number {
  if (strength < strengths.name.whole) return 0
  let words = 0
  for (let from = 0; from >= 0; from = text.indexOf('\n', from) + 1 || -1) {
    if (tags[text.charCodeAt(from)] === strengths.name) words += blanksFrom(text, from)
  }
  return wholeNameBonus * Math.min(1, asked / Math.max(words, 1))
}

function blanksFrom(text: string, from: number): number {
  let blanks = 0
  for (let at = from; at < text.length && text.charCodeAt(at) !== lineEnd; at += 1)
    blanks += Number(text.charCodeAt(at) === blank)
  return blanks
}
