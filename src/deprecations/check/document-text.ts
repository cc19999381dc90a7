import type {FileContext} from './context.js'
import {checkGraphql} from './graphql.js'
import {hole, type ObjectNode, type Text} from './tree.js'

const operation = /^(?:#[^\n]*\n\s*)*(?:query|mutation|subscription|fragment)\b[^{}'"`;]*\{/
const selection = /^(?:#[^\n]*\n\s*)*\{\s*\w/

/** Whether a text in source code or JSON may be a GraphQL document. A bare selection counts only where something says so. */
export const mayBeGraphql = (value: string, isSaid: boolean): boolean => {
  if (!value.includes('{')) return false
  const text = value.trimStart()
  return operation.test(text) || (isSaid && selection.test(text))
}

/** An expression in a document is a fragment: its name where it is spread, its definition elsewhere. */
const filled = (text: Text): Text => ({
  ...text,
  value: text.value.replaceAll(hole, (_, index: number) => (text.value.endsWith('...', index) ? 'X' : ' ')),
})

/** Checks a GraphQL document that stands somewhere in a file. One that cannot be read is no document. */
export const checkDocumentText = async (text: Text, context: FileContext, variables?: ObjectNode): Promise<void> => {
  const {operations, trouble} = await checkGraphql(filled(text), context.emit, variables)
  if (!trouble) context.gathered.operations.push(...operations)
}
