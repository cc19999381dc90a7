import {type FileContext, noteScopes} from './context.js'
import {tryJson} from './json-reader.js'
import {checkPayload} from './payload.js'
import {scopesIn} from './scopes.js'
import {memberOf, type Node, type TextNode, textIn} from './tree.js'
import {checkUrl, segmentsOfUrl} from './url.js'

const itemsIn = (node: Node | undefined, name: string): readonly Node[] => {
  const member = memberOf(node, name)
  return member?.kind === 'array' ? member.items : []
}

export const isHar = (root: Node): boolean => memberOf(memberOf(root, 'log'), 'entries')?.kind === 'array'

/**
 * Finds uses in the requests of an HTTP archive. What a server answered is nobody's use; only where it calls a request
 * deprecated itself is that noted. Returns how many requests it has.
 */
export const checkHar = async (root: Node, context: FileContext): Promise<number> => {
  let requests = 0
  for (const entry of itemsIn(memberOf(root, 'log'), 'entries')) {
    const request = memberOf(entry, 'request')
    if (request?.kind === 'object') {
      requests += 1
      await checkRequest(request, context)
    }
    noteHeader(memberOf(entry, 'response'), context)
  }
  return requests
}

const checkRequest = async (request: Node, context: FileContext): Promise<void> => {
  const url = textIn(request, 'url')
  if (!url) return
  const method = textIn(request, 'method')?.value.toUpperCase() ?? '*'
  checkUrl(url, {...context, method})
  const posted = memberOf(request, 'postData')
  const body = textIn(posted, 'text')
  const segments = segmentsOfUrl(url.value, context.isKnown)
  if (/\/oauth\//.test(url.value)) checkForm(posted, body, context)
  else if (body && segments) {
    const root = tryJson(body)
    if (root) await checkPayload(root, [{method, segments}], context)
  }
}

/** The scopes that a token request asks for, from the parsed parameters or the raw form. */
const checkForm = (posted: Node | undefined, body: TextNode | undefined, context: FileContext): void => {
  const parameter = itemsIn(posted, 'params').find((item) => textIn(item, 'name')?.value === 'scope')
  const scope = textIn(parameter, 'value') ?? body
  if (scope) noteScopes(scopesIn(decodedInPlace(scope), true), context)
}

/** A form writes a colon as `%3A`; two blanks behind it keep the offsets. */
const decodedInPlace = (text: TextNode): TextNode => ({
  ...text,
  value: text.value.replaceAll(/%3a/gi, ':  ').replaceAll('%20', '   ').replaceAll(/[+=&]/g, ' '),
})

const noteHeader = (response: Node | undefined, {gathered}: FileContext): void => {
  for (const header of itemsIn(response, 'headers')) {
    if (textIn(header, 'name')?.value.toLowerCase() !== 'x-deprecation-notice') continue
    const notice = textIn(header, 'value')?.value ?? ''
    gathered.notes.push({message: `the server calls this request deprecated: ${notice}`, offset: header.start})
  }
}
