import {checkBody} from './body.js'
import {type FileContext, noteScopes, saysScope} from './context.js'
import {checkGraphql} from './graphql.js'
import {JsonTrouble, readJson} from './json-reader.js'
import type {Place} from './place.js'
import {scopesIn} from './scopes.js'
import {type Located, memberOf, type Node, nodesOf, offsetAt, sliceOf, type Text, textIn} from './tree.js'
import {checkUrl} from './url.js'

/** Finds uses in a JSON tree: a body, a list of bodies, or a file that has some in it. */
export const checkPayload = async (root: Node, places: readonly Place[], context: FileContext): Promise<void> => {
  checkBody(root, {places, emit: context.emit})
  for (const located of nodesOf(root)) await checkNode(located, context)
}

const checkNode = async ({node, labels, objects, siblings}: Located, context: FileContext): Promise<void> => {
  if (node.kind === 'array') {
    // The texts of one array are one client's; a name says it for all below it: `oAuthScopes: {view: […]}`.
    const isSaid = labels.some(saysScope)
    const scopes = node.items.flatMap((item) => (item.kind === 'text' ? scopesIn(item, isSaid) : []))
    noteScopes(scopes, context)
  }
  if (node.kind !== 'text') return
  const holder = siblings.length === 0 ? objects.at(-1) : undefined
  const name = (holder && labels.at(-1)) ?? ''
  checkUrl(node, {...context, method: textIn(holder, 'method')?.value.toUpperCase() ?? '*'})
  if (holder) noteScopes(scopesIn(node, saysScope(name)), context)
  if (mayBeGraphql(node.value, name === 'query')) {
    // One that cannot be read is no document.
    await checkGraphql(node, context, memberOf(holder, 'variables'))
  }
}

const maxNotes = 3

/** Finds uses in JSON Lines, and returns how many lines are JSON. One that is not is noted and passed over. */
export const checkJsonLines = async (text: Text, places: readonly Place[], context: FileContext): Promise<number> => {
  const {notes} = context.gathered
  let read = 0
  let troubles = 0
  let start = 0
  for (const line of text.value.split('\n')) {
    const end = start + line.length
    if (line.trim() !== '') {
      try {
        await checkPayload(readJson(sliceOf(text, start, end)), places, context)
        read += 1
      } catch (error) {
        if (!(error instanceof JsonTrouble)) throw error
        troubles += 1
        if (troubles <= maxNotes) notes.push({message: `not JSON: ${error.message}`, offset: error.offset})
      }
    }
    start = end + 1
  }
  if (troubles > maxNotes) {
    notes.push({message: `${troubles - maxNotes} more lines are not JSON`, offset: offsetAt(text, 0)})
  }
  return read
}

const operation = /^(?:#[^\n]*\n\s*)*(?:query|mutation|subscription|fragment)\b[^{}'"`;]*\{/
const selection = /^(?:#[^\n]*\n\s*)*\{\s*\w/

/** Whether a text in JSON may be a GraphQL document. A bare selection counts only where something says so. */
const mayBeGraphql = (value: string, isSaid: boolean): boolean => {
  if (!value.includes('{')) return false
  const text = value.trimStart()
  return operation.test(text) || (isSaid && selection.test(text))
}
