import * as v from 'valibot'
import {actionOf, type Registry, registryOf, setterOf} from '../action.js'
import {Currency} from '../codes/currencies.js'
import {defined, withMember} from '../equal.js'
import {between, Country, Locale, listOf, optional, rule, Text} from '../rules.js'
import {introspectionUrlProblem} from './introspection-url.js'
import {type Project, searchIndexingOf, searchStatuses} from './project.js'

const projectAction = actionOf<Project>()
const projectSetter = setterOf<Project>()

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

const Name = v.pipe(
  Text,
  rule((name: string) => name !== '', 'A project has a name.'),
)

const maxEntries = 500

const list = <S extends v.GenericSchema>(entry: S) => listOf(entry, maxEntries)

/** Language tags without repeats, ignoring case; the first spelling stays (decision 2). */
function firstSpellings(languages: readonly string[]): readonly string[] {
  const first = new Map<string, string>()
  for (const tag of languages) {
    const lower = tag.toLowerCase()
    if (!first.has(lower)) first.set(lower, tag)
  }
  return [...first.values()]
}

const maxDays = 90

const Days = between(1, maxDays, `Messages are kept for 1 to ${maxDays} days.`)

/** Every update action of a project, by name (decision 35). */
export const projectActions: Registry<Project> = registryOf([
  /**
   * Sets the external authorization server. It decides about every token of the project: it requires `manage_project`,
   * and external tokens may not extend the trust in their issuer. Source: API › Project › Set ExternalOAuth, decision 30.
   */
  projectSetter({
    name: 'setExternalOAuth',
    summary: 'trust the tokens of another authorization server, or stop doing so',
    member: 'externalOAuth',
    schema: optional(v.object({url: Url, authorizationHeader: Header})),
    secrets: ['authorizationHeader'],
    scope: 'manage_project',
    ownTokensOnly: true,
  }),
  projectSetter({
    name: 'changeName',
    summary: 'rename the project; its key stays',
    member: 'name',
    schema: Name,
  }),
  projectSetter({
    name: 'changeLanguages',
    summary: 'replace the languages; without any, every well-formed tag is taken',
    member: 'languages',
    schema: list(Locale),
    errors: ['LanguageUsedInStores'],
    kept: (languages) => firstSpellings(languages),
  }),
  projectSetter({
    name: 'changeCountries',
    summary: 'replace the countries of the project',
    member: 'countries',
    schema: list(Country),
    kept: (countries) => [...new Set(countries)],
  }),
  projectSetter({
    name: 'changeCurrencies',
    summary: 'replace the currencies of the project',
    member: 'currencies',
    schema: list(Currency),
    kept: (currencies) => [...new Set(currencies)],
  }),
  projectAction({
    name: 'changeMessagesConfiguration',
    summary: 'switch messages on or off and set how many days they are kept',
    fields: ['messages'],
    schema: v.object({
      messagesConfiguration: v.object({enabled: v.boolean(), deleteDaysAfterCreation: optional(Days)}),
    }),
    apply: (project, {messagesConfiguration: {enabled, deleteDaysAfterCreation}}) => ({
      next: withMember(project, 'messages', {
        ...project.messages,
        enabled,
        ...defined({deleteDaysAfterCreation}),
      }),
    }),
  }),
  /** The deprecated switch, which keeps the retention (decision 36). Source: API › Project. */
  projectAction({
    name: 'changeMessagesEnabled',
    summary: 'switch messages on or off',
    fields: ['messages'],
    deprecated: {
      id: 'project-change-messages-enabled',
      alternative: 'changeMessagesConfiguration',
      since: '2018-10-08',
    },
    schema: v.object({messagesEnabled: v.boolean()}),
    apply: (project, {messagesEnabled}) => ({
      next: withMember(project, 'messages', {...project.messages, enabled: messagesEnabled}),
    }),
  }),
  projectAction({
    name: 'changeCustomerSearchStatus',
    summary: 'switch Customer Search on or off',
    fields: ['searchIndexing'],
    schema: v.object({status: v.picklist(searchStatuses)}),
    apply: (project, {status}, {now}) => {
      const indexing = searchIndexingOf(project)
      if (indexing.customers.status === status) return {next: project}
      return {next: {...project, searchIndexing: {...indexing, customers: {status, lastModifiedAt: now}}}}
    },
  }),
])
