import {type FileContext, noteScopes, saysScope} from './context.js'
import {type Scope, scopesIn} from './scopes.js'
import {sliceOf, type Text} from './tree.js'
import {checkUrl} from './url.js'

const word = /[^\s"'`<>\\,;[\]]+/g
const method = /^(?:GET|HEAD|POST|PUT|DELETE|PATCH)$/
const comment = /^\s*(?:#|\/\/|;|--\s)/
const assignment = /^\s*(?:export\s+|set\s+|-\s+)?([\w.$-]+)\s*[:=](?!\/\/)/

/** Finds uses in text that is read by lines: environment files, settings, shell scripts, other languages' sources. */
export const checkPlainText = (text: Text, context: FileContext): void => {
  let start = 0
  let list: Scope[] = []
  let isScopes = false
  for (const line of text.value.split('\n')) {
    const end = start + line.length
    const isComment = comment.test(line)
    if (!isComment) checkWords(sliceOf(text, start, end), context)
    const name = assignment.exec(line)?.[1]
    // A name begins a new list; lines without one go on with the last, as lists in YAML do.
    if (name !== undefined && !/^(?:view|manage)_/.test(name)) {
      noteScopes(list, context)
      list = []
      isScopes = saysScope(name)
    }
    const scopes = isComment ? [] : scopesIn(sliceOf(text, start, end), isScopes)
    if (scopes.length === 0 && name === undefined) {
      noteScopes(list, context)
      list = []
    }
    list.push(...scopes)
    start = end + 1
  }
  noteScopes(list, context)
}

const checkWords = (line: Text, context: FileContext): void => {
  let said = /\s(?:-X|--request)[\s=]+["']?([A-Z]+)/.exec(line.value)?.[1] ?? '*'
  for (const found of line.value.matchAll(word)) {
    const [value] = found
    if (method.test(value)) said = value
    const at = found.index + urlStart(value)
    const end = found.index + value.replace(/[.:})]+$/, '').length
    checkUrl(sliceOf(line, at, Math.max(at, end)), {...context, method: said})
  }
}

/** Where the URL begins in a word such as `API_URL=https://…`. */
const urlStart = (value: string): number => {
  const colon = value.indexOf('://')
  if (colon !== -1) {
    let start = colon
    while (/[a-z]/i.test(value[start - 1] ?? '')) start -= 1
    return start
  }
  const path = value.search(/=\/|=[\w.-]+\.\w+$/)
  return path === -1 ? 0 : path + 1
}
