import {checkBody} from './body.js'
import type {FileContext} from './context.js'
import {checkDocumentText, mayBeGraphql} from './document-text.js'
import {type TextToken, type Token, tokensOf} from './lexer.js'
import {type Brackets, bracketsOf, readLiteral} from './literal-reader.js'
import {hitOf, symbolRules} from './rules.js'
import {checkScopeLists, noteScopes, saysScope} from './scope-lists.js'
import {scopesIn} from './scopes.js'
import {chainPlace, methodOf, placesAround} from './source-place.js'
import {memberOf, type Text} from './tree.js'
import {checkHost, checkPlace, checkUrl, type Parameter} from './url.js'

interface Source {
  readonly tokens: readonly Token[]
  readonly brackets: Brackets
  /** Where texts begin whose scopes were taken for one list with their neighbours'. */
  readonly listed: Set<number>
  readonly context: FileContext
}

/** Finds uses in JavaScript or TypeScript: literals, URLs, scopes, GraphQL documents, calls of the SDK's builder. */
export const checkSource = async (text: Text, context: FileContext): Promise<void> => {
  const tokens = tokensOf(text)
  const source: Source = {tokens, brackets: bracketsOf(tokens), listed: new Set(), context}
  for (const [index, token] of tokens.entries()) {
    if (token.kind === 'text') await checkText(token, index, source)
    else if (token.kind === 'name' && token.value === 'import') checkImport(index, source)
    else if (token.kind === 'mark') checkMark(token.value, index, source)
  }
}

const checkMark = (mark: string, index: number, source: Source): void => {
  if (mark === '(') checkCall(index, source)
  const isLiteral = mark === '{' || (mark === '[' && beginsArray(source.tokens[index - 1]))
  if (isLiteral && !source.brackets.settled.has(index)) checkLiteral(index, source)
}

/** Behind a name or a closing bracket `[` asks for an element. */
const beginsArray = (before: Token | undefined): boolean =>
  before === undefined ||
  (before.kind === 'mark' && ![')', ']', '}'].includes(before.value)) ||
  (before.kind === 'name' && before.value === 'return')

const checkLiteral = (index: number, source: Source): void => {
  const {tokens, brackets, context} = source
  const literal = readLiteral(tokens, brackets, index)
  if (!literal) return
  const {node} = literal
  const {isKnown, emit} = context
  const places = placesAround(tokens, index, literal.end, isKnown)
  const body = node.kind === 'object' && places.length > 0 ? memberOf(node, 'body') : undefined
  checkBody(body && body.kind !== 'text' ? body : node, {places, isKnown, emit})
  checkScopeLists(node, nameBefore(tokens, index), context, source.listed)
}

/** The name that a value is given: `scopes = […]`, `scopes: […]`. */
const nameBefore = (tokens: readonly Token[], index: number): string => {
  const [assign, name] = [tokens[index - 1], tokens[index - 2]]
  const isGiven = assign?.kind === 'mark' && (assign.value === '=' || assign.value === ':' || assign.value === '(')
  return isGiven && (name?.kind === 'name' || name?.kind === 'text') ? name.value : ''
}

const checkText = async (token: TextToken, index: number, source: Source): Promise<void> => {
  const {tokens, context} = source
  const {value} = token
  if (value.includes('/')) checkUrl(token, {...context, method: methodAround(tokens, index)})
  else checkHost(token, context.emit)
  if (!source.listed.has(token.start)) noteScopes(scopesIn(token, saysScope(nameBefore(tokens, index))), context)
  const tag = tokens[index - 1]
  const isTagged = tag?.kind === 'name' && /^(gql|graphql)$/i.test(tag.value)
  if (mayBeGraphql(value, isTagged || value.startsWith('#graphql'))) await checkDocumentText(token, context)
}

const methodAround = (tokens: readonly Token[], index: number): string => {
  const before = tokens[index - 1]
  return before?.kind === 'mark' && before.value === '(' ? methodOf(tokens, index - 1) : '*'
}

/** A call of the SDK's request builder is a request. */
const checkCall = (paren: number, {tokens, brackets, context}: Source): void => {
  const place = chainPlace(tokens, paren)
  if (!place) return
  const offset = tokens[paren - 1]?.start ?? 0
  checkPlace(place, parametersIn(paren + 1, tokens, brackets), offset, context.emit)
}

const parametersIn = (at: number, tokens: readonly Token[], brackets: Brackets): readonly Parameter[] => {
  // Read for the query alone: the main walk comes to the literal by itself, and settles its brackets then.
  const isObject = tokens[at]?.kind === 'mark' && tokens[at].value === '{'
  const node = isObject ? readLiteral(tokens, {...brackets, settled: new Set()}, at)?.node : undefined
  const query = node?.kind === 'object' ? memberOf(node, 'queryArgs') : undefined
  if (query?.kind !== 'object') return []
  return query.members.flatMap(({name, start, value}): Parameter[] => {
    const values = value.kind === 'array' ? value.items : [value]
    return values.map((item) => ({name, offset: start, ...(item.kind === 'text' ? {value: item.value} : {})}))
  })
}

/** Names imported from the platform's SDKs. */
const checkImport = (index: number, {tokens, brackets: {matches}, context}: Source): void => {
  const from = tokens[index + 1]?.value === 'type' ? index + 2 : index + 1
  const end = tokens[from]?.value === '{' ? matches[from] : undefined
  const library = end ? tokens[end + 2] : undefined
  if (!end || library?.kind !== 'text' || !library.value.startsWith('@commercetools/')) return
  for (const token of tokens.slice(from, end)) {
    if (token.kind !== 'name') continue
    for (const rule of symbolRules.get(token.value) ?? []) {
      context.emit(hitOf(rule, token.start, `import of ${token.value}`))
    }
  }
}
