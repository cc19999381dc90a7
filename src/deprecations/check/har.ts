import {type FileContext, noteScopes} from './context.js'
import {tryJson} from './json-reader.js'
import {checkPayload} from './payload.js'
import {scopesIn} from './scopes.js'
import {memberOf, type Node, type ObjectNode, type TextNode, textIn} from './tree.js'
import {checkUrl, segmentsOfUrl} from './url.js'

const objectIn = (node: Node | undefined, name: string): ObjectNode | undefined => {
  const member = node?.kind === 'object' ? memberOf(node, name) : undefined
  return member?.kind === 'object' ? member : undefined
}

const itemsIn = (node: ObjectNode | undefined, name: string): readonly Node[] => {
  const member = node && memberOf(node, name)
  return member?.kind === 'array' ? member.items : []
}

export const isHar = (root: Node): boolean => {
  const log = objectIn(root, 'log')
  return log !== undefined && memberOf(log, 'entries')?.kind === 'array'
}

/**
 * Finds uses in the requests of an HTTP archive. What a server answered is nobody's use; only where it calls a request
 * deprecated itself is that noted. Returns how many requests it has.
 */
export const checkHar = async (root: Node, context: FileContext): Promise<number> => {
  let requests = 0
  for (const entry of itemsIn(objectIn(root, 'log'), 'entries')) {
    const request = objectIn(entry, 'request')
    if (request) {
      requests += 1
      await checkRequest(request, context)
    }
    noteHeader(objectIn(entry, 'response'), context)
  }
  return requests
}

const checkRequest = async (request: ObjectNode, context: FileContext): Promise<void> => {
  const url = textIn(request, 'url')
  if (!url) return
  const method = textIn(request, 'method')?.value.toUpperCase() ?? '*'
  checkUrl(url, {...context, method})
  const posted = objectIn(request, 'postData')
  const body = textIn(posted, 'text')
  const segments = segmentsOfUrl(url.value, context.isKnown)
  if (/\/oauth\//.test(url.value)) checkForm(posted, body, context)
  else if (body && segments) {
    const root = tryJson(body)
    if (root) await checkPayload(root, [{method, segments}], context)
  }
}

/** The scopes that a token request asks for, from the parsed parameters or the raw form. */
const checkForm = (posted: ObjectNode | undefined, body: TextNode | undefined, context: FileContext): void => {
  const parameter = itemsIn(posted, 'params').find(
    (item): item is ObjectNode => item.kind === 'object' && textIn(item, 'name')?.value === 'scope',
  )
  const scope = textIn(parameter, 'value') ?? body
  if (scope) noteScopes(scopesIn(decodedInPlace(scope), true), context)
}

/** A form writes a colon as `%3A`; two blanks behind it keep the offsets. */
const decodedInPlace = (text: TextNode): TextNode => ({
  ...text,
  value: text.value.replaceAll(/%3a/gi, ':  ').replaceAll('%20', '   ').replaceAll(/[+=&]/g, ' '),
})

const noteHeader = (response: ObjectNode | undefined, {gathered}: FileContext): void => {
  for (const header of itemsIn(response, 'headers')) {
    if (header.kind !== 'object' || textIn(header, 'name')?.value.toLowerCase() !== 'x-deprecation-notice') continue
    const notice = textIn(header, 'value')?.value ?? ''
    gathered.notes.push({message: `the server calls this request deprecated: ${notice}`, offset: header.start})
  }
}
