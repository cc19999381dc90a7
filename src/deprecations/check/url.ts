import {isAt, type Place, pathBelowProject, type Trust} from './place.js'
import {checkName, type Emit, hitOf, type UrlRule, urlRules} from './rules.js'
import {offsetAt, type Text} from './tree.js'

interface Parameter {
  readonly name: string
  readonly value: string
  readonly offset: number
}

/** What is known of a URL from around it. */
export interface UrlContext {
  /** `*` where nobody tells. */
  readonly method: string
  /** Whether the file around it surely talks to the platform. */
  readonly isKnown: boolean
  /** Whether a person says that it is the platform's. */
  readonly isExplicit?: true
  readonly emit: Emit
}

const form = /^(?:[a-z][a-z\d+.-]*:\/\/(?:[^/?#@]*@)?([^/?#:]*)(?::\d+)?)?([^?#]*)(?:\?([^#]*))?/i

/** A placeholder as templates, shells, HTTP files and path templates write it. */
const placeholder = /^(?:\{\{[^}]*\}\}|\$\{[^}]*\}|\$\w+|\{\w*\}|<[\w-]+>|:[A-Za-z]\w*)+$/

const platformHost = /(?:^|\.)(?:commercetools\.com?|sphere\.io)$/i
const loopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\]|host\.docker\.internal|.+\.(?:test|local|localhost|internal))$/i

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

const parametersOf = (text: Text, query: string, begin: number): readonly Parameter[] => {
  const found: Parameter[] = []
  let at = begin
  for (const pair of query.split('&')) {
    const [name = '', ...rest] = pair.split('=')
    found.push({name: decoded(name), value: decoded(rest.join('=')), offset: offsetAt(text, at)})
    at += pair.length + 1
  }
  return found
}

const trustIn = (host: string | undefined, isKnown: boolean): Trust => {
  if (host !== undefined && platformHost.test(host)) return 'explicit'
  const mayBeOurs = host === undefined || placeholder.test(host) || loopback.test(host)
  return isKnown && mayBeOurs ? 'byFile' : 'byShape'
}

/** The segments of a path, without the base URL that a placeholder in front of it stands for. */
const segmentsOf = (path: string): readonly string[] => {
  const [first = '', ...rest] = path.split('/')
  const parts = placeholder.test(first) ? rest : [first, ...rest]
  return parts.filter((part) => part !== '').map((part) => (placeholder.test(part) ? '{}' : decoded(part)))
}

/** The path of a URL below project and store, or nothing where it does not look like the platform's. */
export const segmentsOfUrl = (url: string, isKnown: boolean, isExplicit?: true): readonly string[] | undefined => {
  const [, host, path = ''] = form.exec(url) ?? []
  return pathBelowProject(segmentsOf(path), isExplicit ? 'explicit' : trustIn(host, isKnown))
}

/** Finds uses in a URL, or in the path and query of one; in a word without a path those of a host. */
export const checkUrl = (text: Text, {method, isKnown, isExplicit, emit}: UrlContext): void => {
  const isPath = isExplicit || text.value.includes('/')
  const parts: readonly (string | undefined)[] = isPath ? (form.exec(text.value) ?? []) : ['', text.value]
  const [, host, , query] = parts
  if (host) checkName('host', host.toLowerCase(), offsetAt(text, text.value.indexOf(host)), `host ${host}`, emit)
  const segments = isPath && segmentsOfUrl(text.value, isKnown, isExplicit)
  if (!segments) return
  const parameters = query === undefined ? [] : parametersOf(text, query, text.value.indexOf('?') + 1)
  checkPlace({method, segments}, parameters, offsetAt(text, 0), emit)
}

const matches = (value: RegExp | undefined, {value: text}: Parameter): boolean =>
  value === undefined || value.test(text) || text.split(',').some((part) => value.test(part))

/** Finds uses in a request, given as its place and its query parameters. */
const checkPlace = (place: Place, parameters: readonly Parameter[], offset: number, emit: Emit): void => {
  const path = `/${place.segments.join('/')}`
  const request = place.method === '*' ? path : `${place.method} ${path}`
  for (const rule of urlRules) {
    if (!isAt(rule.place, place)) continue
    if (rule.pattern.query === undefined) {
      // A path alone proves nothing where another method on it is fine.
      if (place.method !== '*' || rule.place.method === '*') emit(hitOf(rule, offset, request))
    } else checkParameters(rule, request, parameters, emit)
  }
}

const checkParameters = (rule: UrlRule, request: string, parameters: readonly Parameter[], emit: Emit): void => {
  const {value, besideValue} = rule
  const {query, beside} = rule.pattern
  if (beside && !parameters.some((one) => one.name === beside.query && matches(besideValue, one))) return
  for (const parameter of parameters) {
    if (parameter.name !== query || !matches(value, parameter)) continue
    emit(hitOf(rule, parameter.offset, `${request}?${parameter.name}=`))
  }
}
