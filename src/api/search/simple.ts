import {queryWords} from '../../domain/folded-text.js'
import {textLine} from '../../domain/search/search-text.js'
import {wordsOf} from '../../domain/search/words.js'
import {type Effort, TextInPieces} from '../../effort.js'
import type {Candidate} from '../../store/searchable.js'
import type {SearchField} from './fields.js'
import {allOf, anyOf, containsWord, type Matching, nameBonus, none, tagsOf, type WordMode, wordIn} from './full-text.js'
import {type Members, malformed, textIn} from './members.js'
import {step, textStep} from './steps.js'
import {exact, exists, prefix, range, wildcard} from './values.js'

/** Compiled to what finds it in the indexes, and how well a candidate fits. Source: API › Search query language. */

/** The tag of the lines that are made of values which no search text has. */
const ownTag = '~'
const ownTags = tagsOf([{tag: ownTag, tells: 'other'}])

/** Characters that a look at each character of a text comes to where the distance of its words is measured. */
const looksOfNear = 16

const fullText =
  (modeOf: (members: Members) => WordMode) =>
  (field: SearchField, members: Members, effort: Effort): Matching => {
    const {value, mustMatch = 'all'} = members
    const mode = modeOf(members)
    const words = queryWords(textIn(field, value))
    const isKept = field.texts.length > 0
    const tags = isKept ? tagsOf(field.texts) : ownTags
    const contained = words.map((spellings) => containsWord(spellings, mode))
    const contains = mustMatch === 'all' ? allOf(contained) : anyOf(contained)
    const textOf = isKept ? (candidate: Candidate) => candidate.text() : ownText(field, effort)
    const fitting = words.map((spellings) => {
      const inText = wordIn(spellings, mode, tags)
      const strengthOf = isKept ? inText : (text: string) => inText(text)
      const looks = spellings.length * (typeof mode === 'string' ? 1 : looksOfNear)
      return textStep(effort, looks, strengthOf, {least: none, most: Number.POSITIVE_INFINITY})
    })
    return {
      ...(isKept ? {contains} : {}),
      counts: true,
      // The bonus for a name looks at the whole text.
      strength: step(effort, (candidate) => {
        const text = textOf(candidate)
        if (text === undefined) return undefined
        let [sum, matched, least] = [0, 0, Number.POSITIVE_INFINITY]
        for (const strengthOf of fitting) {
          const strength = strengthOf(candidate, text)
          if (strength === none && mustMatch === 'all') return none
          sum += Math.max(strength, 0)
          matched += Number(strength !== none)
          least = Math.min(least, strength)
        }
        return matched === 0 ? none : sum / words.length + nameBonus(text, words.length, least, tags)
      }),
    }
  }

/** The text of values that no search text has; undefined while their document is not at hand. */
function ownText(field: SearchField, effort: Effort): (candidate: Candidate) => string | undefined {
  let last: Candidate | undefined
  let text: TextInPieces | undefined
  return (candidate) => {
    if (candidate !== last) {
      const document = candidate.document()
      text = document && new TextInPieces(linesOf(field.values(document)), effort)
      last = document && candidate
    }
    return text?.whole()
  }
}

function* linesOf(values: readonly unknown[]): Generator<string> {
  for (const one of values) if (typeof one === 'string') yield textLine(ownTag, wordsOf(one))
}

function levelOf({level}: Members): WordMode {
  if (level === undefined) throw malformed("'fuzzy' takes a level of 0, 1 or 2.")
  return {level}
}

/** The simple expressions by name; those that look at whole values are not for fields of several. */
export const simpleExpressions: ReadonlyMap<
  string,
  {readonly compile: (field: SearchField, members: Members, effort: Effort) => Matching; readonly isFullText?: true}
> = new Map([
  ['exact', {compile: exact}],
  ['prefix', {compile: prefix}],
  ['wildcard', {compile: wildcard}],
  ['fullText', {compile: fullText(() => 'whole'), isFullText: true as const}],
  ['fullTextPrefix', {compile: fullText(() => 'start'), isFullText: true as const}],
  ['fuzzy', {compile: fullText(levelOf), isFullText: true as const}],
  ['range', {compile: range}],
  ['exists', {compile: exists}],
])
