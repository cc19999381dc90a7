import * as v from 'valibot'
import {optional, rule, Text} from '../../rules.js'
import {introspectionUrlProblem} from '../introspection-url.js'
import {projectSetter} from '../project-action.js'

const Url = v.pipe(
  Text,
  rule(
    (text: string) => introspectionUrlProblem(text) === undefined,
    'The URL of an introspection endpoint is https, or http on this machine, without user name, password or fragment.',
  ),
)

const maxHeader = 4096

const isHeader = (text: string): boolean =>
  text.length <= maxHeader && /^[\x21-\x7e][\x20-\x7e]+[\x21-\x7e]$/.test(text)

const Header = v.pipe(
  Text,
  rule(isHeader, `A header has 3 to ${maxHeader} printable ASCII characters and no blank at either end.`),
)

/**
 * Sets the external authorization server. It decides about every token of the project: it requires `manage_project`,
 * and external tokens may not extend the trust in their issuer. Source: API › Project › Set ExternalOAuth, decision 30.
 */
export const setExternalOAuth = projectSetter({
  name: 'setExternalOAuth',
  summary: 'trust the tokens of another authorization server, or stop doing so',
  member: 'externalOAuth',
  schema: optional(v.object({url: Url, authorizationHeader: Header})),
  secrets: ['authorizationHeader'],
  scope: 'manage_project',
  ownTokensOnly: true,
})
