import type {ImportDeclaration, Node} from '@babel/types'
import {checkBody} from '../body.js'
import type {FileContext} from '../context.js'
import {checkDocumentText, mayBeGraphql} from '../payload.js'
import {checkPlainText} from '../plain-text.js'
import {checkName} from '../rules.js'
import {checkScopeLists, noteScopes, saysScope} from '../scope-lists.js'
import {scopesIn} from '../scopes.js'
import {memberOf, offsetAt, type Text} from '../tree.js'
import {checkHost, checkPlace, checkUrl, type Parameter} from '../url.js'
import {type Branch, bare, branchesOf, valueBranch} from './branch.js'
import {isLiteral, isTextLiteral, type Literal, LiteralReader, type TextLiteral, textOf} from './literal.js'
import {parseSource} from './parse.js'
import {type Call, calleeName, chainPlace, isCall, leadingText, methodOf, RequestPlaces} from './request-place.js'
import {scriptsIn} from './scripts.js'

interface Source {
  readonly text: Text
  readonly literals: LiteralReader
  readonly places: RequestPlaces
  /** Where texts begin whose scopes were taken for one list with their neighbours'. */
  readonly listed: Set<number>
  readonly context: FileContext
}

/**
 * Finds uses in JavaScript and TypeScript: literals, URLs, scopes, GraphQL documents, calls of the SDK's builder. Of a
 * component (Vue, Svelte, Astro) the scripts are read so, and the markup as plain text.
 */
export async function checkSource(text: Text, path: string, context: FileContext): Promise<void> {
  const component = scriptsIn(text, path)
  if (!component) return checkScript(text, path, context)
  checkPlainText(component.markup, context)
  await checkScript(component.script, `${path}.${component.language}`, context)
}

/** A script that cannot be parsed is read as plain text, and a note says so. */
async function checkScript(text: Text, path: string, context: FileContext): Promise<void> {
  const program = await parseSource(text.value, path)
  if ('message' in program) {
    const offset = offsetAt(text, program.index)
    context.gathered.notes.push({message: `read as plain text: ${program.message}`, offset})
    return checkPlainText(text, context)
  }
  const literals = new LiteralReader(text)
  const places = new RequestPlaces(text, context.isKnown)
  const source: Source = {text, literals, places, listed: new Set(), context}
  for (const branch of branchesOf(program)) {
    const {node} = branch
    if (isTextLiteral(node)) await checkText(node, branch, source)
    else if (isLiteral(node)) checkLiteral(node, branch, source)
    else if (isCall(node)) checkCall(node, source)
    else if (node.type === 'ImportDeclaration') checkImport(node, source)
  }
}

function checkLiteral(literal: Literal, branch: Branch, {literals, places: known, listed, context}: Source): void {
  const node = literals.isSettled(literal) ? undefined : literals.read(literal)
  if (!node) return
  const {isKnown, emit} = context
  const places = known.around(branch)
  const body = node.kind === 'object' && places.length > 0 ? memberOf(node, 'body') : undefined
  checkBody(body && body.kind !== 'text' ? body : node, {places, isKnown, emit})
  checkScopeLists(node, nameGiven(branch), context, listed)
}

/** The name that a value is given: `scopes = […]`, `scopes: […]`, `scopes([…])`. */
function nameGiven(branch: Branch): string {
  const {node, parent} = valueBranch(branch)
  const holder = parent?.node
  if (!holder) return ''
  if (isCall(holder)) return holder.arguments[0] === node ? (calleeName(holder) ?? '') : ''
  if (holder.type === 'VariableDeclarator') return nameOf(holder.id)
  if (holder.type === 'AssignmentExpression' || holder.type === 'AssignmentPattern') return nameOf(holder.left)
  if (holder.type === 'ObjectProperty' || holder.type === 'ClassProperty') return nameOf(holder.key)
  return holder.type === 'JSXAttribute' ? nameOf(holder.name) : ''
}

function nameOf(node: Node): string {
  if (node.type === 'Identifier' || node.type === 'JSXIdentifier') return node.name
  if (node.type === 'StringLiteral') return node.value
  return node.type === 'MemberExpression' ? nameOf(node.property) : ''
}

async function checkText(literal: TextLiteral, branch: Branch, {text: source, listed, context}: Source): Promise<void> {
  const text = textOf(literal, source)
  const {value} = text
  if (value.includes('/')) checkUrl(text, {...context, method: methodAround(branch)})
  else checkHost(text, context.emit)
  if (!listed.has(text.start)) noteScopes(scopesIn(text, saysScope(nameGiven(branch))), context)
  const holder = branch.parent?.node
  const isTagged = holder?.type === 'TaggedTemplateExpression' && /^(gql|graphql)$/i.test(nameOf(holder.tag))
  if (mayBeGraphql(value, isTagged || value.startsWith('#graphql'))) await checkDocumentText(text, context)
}

/** The method of the request whose URL a text is, or begins. */
function methodAround({node, parent}: Branch): string {
  let [inner, at] = [node, parent]
  while (at?.node.type === 'BinaryExpression' && at.node.left === inner) [inner, at] = [at.node, at.parent]
  return at && isCall(at.node) && leadingText(at.node) === node ? methodOf(at.node) : '*'
}

/** A call of the SDK's request builder is a request. */
function checkCall(call: Call, source: Source): void {
  const place = chainPlace(call)
  const callee = bare(call.callee)
  if (!place || !('property' in callee)) return
  const offset = offsetAt(source.text, callee.property.start ?? 0)
  checkPlace(place, parametersOf(call, source), offset, source.context.emit)
}

function parametersOf(call: Call, {text}: Source): readonly Parameter[] {
  const [options] = call.arguments
  // Read for the query alone: the main walk comes to the literal by itself, and settles it then.
  const node = options?.type === 'ObjectExpression' ? new LiteralReader(text).read(options) : undefined
  const query = node?.kind === 'object' ? memberOf(node, 'queryArgs') : undefined
  if (query?.kind !== 'object') return []
  return query.members.flatMap(({name, start, value}): Parameter[] => {
    const values = value.kind === 'array' ? value.items : [value]
    return values.map((item) => ({name, offset: start, ...(item.kind === 'text' ? {value: item.value} : {})}))
  })
}

/** Names imported from the platform's SDKs. */
function checkImport({source: library, specifiers}: ImportDeclaration, {text, context}: Source): void {
  if (!library.value.startsWith('@commercetools/')) return
  for (const specifier of specifiers) {
    if (specifier.type !== 'ImportSpecifier') continue
    const {imported} = specifier
    const name = nameOf(imported)
    checkName('symbol', name, offsetAt(text, imported.start ?? 0), `import of ${name}`, context.emit)
  }
}
