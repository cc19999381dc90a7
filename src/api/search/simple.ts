import {queryWords} from '../../domain/folded-text.js'
import {textLine} from '../../domain/search/search-text.js'
import {wordsOf} from '../../domain/search/words.js'
import type {Candidate} from '../../store/searchable.js'
import type {SearchField} from './fields.js'
import {allOf, anyOf, containsWord, type Matching, nameBonus, none, tagsOf, type WordMode, wordIn} from './full-text.js'
import {type Members, malformed, textIn} from './members.js'
import {kept} from './steps.js'
import {exact, exists, prefix, range, wildcard} from './values.js'

/** Compiled to what finds it in the indexes, and how well a candidate fits. Source: API › Search query language. */

/** The tag of the lines that are made of values which no search text has. */
const ownTag = '~'
const ownTags = tagsOf([{tag: ownTag, tells: 'other'}])

const fullText =
  (modeOf: (members: Members) => WordMode) =>
  (field: SearchField, members: Members): Matching => {
    const {value, mustMatch = 'all'} = members
    const mode = modeOf(members)
    const words = queryWords(textIn(field, value))
    const isKept = field.texts.length > 0
    const tags = isKept ? tagsOf(field.texts) : ownTags
    const contained = words.map((spellings) => containsWord(spellings, mode))
    const contains = mustMatch === 'all' ? allOf(contained) : anyOf(contained)
    const textOf = isKept ? (candidate: Candidate) => candidate.text() : ownText(field)
    const fitting = words.map((spellings) => {
      const inText = wordIn(spellings, mode, tags)
      return isKept ? inText : (text: string) => inText(text)
    })
    return {
      ...(isKept ? {contains} : {}),
      counts: true,
      strength: (candidate) => {
        const text = textOf(candidate)
        if (text === undefined) return undefined
        let [sum, matched, least] = [0, 0, Number.POSITIVE_INFINITY]
        for (const strengthOf of fitting) {
          const strength = strengthOf(text)
          if (strength === none && mustMatch === 'all') return none
          sum += Math.max(strength, 0)
          matched += Number(strength !== none)
          least = Math.min(least, strength)
        }
        return matched === 0 ? none : sum / words.length + nameBonus(text, words.length, least, tags)
      },
    }
  }

/** The text of values that no search text has; undefined while their document is not at hand. */
const ownText = (field: SearchField): ((candidate: Candidate) => string | undefined) =>
  kept((candidate) => {
    const document = candidate.document()
    return document && linesOf(field.values(document))
  })

const linesOf = (values: readonly unknown[]): string =>
  values.map((one) => (typeof one === 'string' ? textLine(ownTag, wordsOf(one)) : '')).join('')

function levelOf({level}: Members): WordMode {
  if (level === undefined) throw malformed("'fuzzy' takes a level of 0, 1 or 2.")
  return {level}
}

/** The simple expressions by name; those that look at whole values are not for fields of several. */
export const simpleExpressions: ReadonlyMap<
  string,
  {readonly compile: (field: SearchField, members: Members) => Matching; readonly isFullText?: true}
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
