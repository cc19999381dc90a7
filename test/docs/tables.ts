import {readFileSync} from 'node:fs'
import {toJsonSchema} from '@valibot/to-json-schema'
import {operations} from '../../src/api/index.js'
import {collectionOf} from '../../src/api/operation/collection-table.js'
import type {Permission} from '../../src/api/operation/operation.js'
import {storedKinds} from '../../src/api/operation/stored-kinds.js'
import {acts, checkKey, menuKeys} from '../../src/cli/desk/acts.js'
import type {AnyAction} from '../../src/domain/action.js'
import {writables} from '../../src/domain/collections/index.js'
import {customerActions} from '../../src/domain/customers/actions/index.js'
import type {Row} from '../../src/domain/error-catalogue.js'
import {catalogue} from '../../src/domain/errors.js'
import {myQuoteActions} from '../../src/domain/quotes/actions.js'
import {limits} from '../../src/work/limits.js'
import {limitTexts} from './limit-texts.js'

/** Tables of the documentation, made from the registries. */

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

const code = (text: string): string => `\`${text}\``

const list = (names: readonly string[]): string => names.map(code).join(', ')

function needsOf({anyOf, bound}: Extract<Permission, {kind: 'bearer'}>): string {
  const whose = {
    customer: ' and a customer',
    anonymous: ' and a session',
    either: ' and a customer or session',
    optional: '',
  }
  return `${anyOf.map(code).join(' or ')}${bound ? whose[bound] : ''}`
}

/** Member names of an action's schema; required ones first and marked. */
function membersOf(schema: unknown): string {
  const {properties = {}, required = []} = toJsonSchema(schema as never, {typeMode: 'input', errorMode: 'ignore'}) as {
    properties?: object
    required?: string[]
  }
  return Object.keys(properties)
    .map((name) => (required.includes(name) ? `**${code(name)}**` : code(name)))
    .join(', ')
}

const looseMembers: Readonly<Record<string, string>> = {
  setCustomType: '`type`, `fields`',
  setAddressCustomType: '**`addressId`**, `type`, `fields`',
}

type Described = Omit<AnyAction<never>, 'apply' | 'references'>

function actionsTable(actions: Iterable<Described>): string {
  const rows = [...actions].map(({name, summary, schema, messages = [], errors = [], my, deprecated}) => [
    code(name),
    `${summary}${deprecated ? ` (deprecated: use ${deprecated.alternative})` : ''}`,
    looseMembers[name] ?? membersOf(schema),
    list(errors),
    list(messages),
    my ? 'yes' : '',
  ])
  return table(['Action', 'What it does', 'Members (required in bold)', 'Errors of its own', 'Messages', '`/me`'], rows)
}

/** The codes of errors, a row for each status. */
function errorsTable(): string {
  const codes = new Map<number, string[]>()
  for (const [name, {status, statusIfLate}] of Object.entries<Row<never>>(catalogue)) {
    for (const one of [status, statusIfLate ?? []].flat()) codes.set(one, [...(codes.get(one) ?? []), name])
  }
  return table(
    ['Status', 'Codes'],
    [...codes].map(([status, names]) => [String(status), list(names)]),
  )
}

function limitsTable(): string {
  const rows = Object.entries(limitTexts).map(([name, [counts, refusal, source = 'ours']]) => [
    limits[name as keyof typeof limits].toLocaleString('en-US'),
    counts,
    refusal,
    source,
  ])
  return table(['At most', 'What is counted', 'Beyond it', 'Source'], rows)
}

const keptTable = (): string =>
  table(
    ['Kind', 'What it is', 'Kept'],
    storedKinds.map(({kind, holds, retention}) => [code(kind), holds, retention?.term ?? 'until it is deleted']),
  )

const ofOne = /\/\{id\}$|\/key=\{key\}$/

/** The paths below a project, with the methods of the collection and of one resource, and the scopes that they need. */
function servedTable(): string {
  const rows = new Map<
    string,
    {readonly all: Set<string>; readonly one: Set<string>; needs: Set<string>; inStore: boolean}
  >()
  for (const {path, method, permission, inStore, id} of operations) {
    if (permission.kind !== 'bearer' || id.endsWith('InStore')) continue
    const base = path.replace(ofOne, '').replace('/{projectKey}', '') || '/'
    const row = rows.get(base) ?? {all: new Set(), one: new Set(), needs: new Set(), inStore: false}
    const methods = ofOne.test(path) ? row.one : row.all
    methods.add(method)
    row.needs.add(needsOf(permission))
    rows.set(base, {...row, inStore: row.inStore || inStore === true})
  }
  const cells = [...rows].map(([base, {all, one, needs, inStore}]) => [
    code(base),
    [...all].join(', '),
    [...one].join(', '),
    [...needs].join('; '),
    inStore ? 'yes' : '',
  ])
  return table(['Below `/{projectKey}`', 'The path', 'By id and key', 'Needs', 'Below a store'], cells)
}

const actsTable = (): string =>
  table(
    ['Key', 'What it does', 'Command'],
    [
      ...acts.map(({key, about, command}) => [code(key), about, code(command)]),
      ...[checkKey, ...menuKeys].map(({key, about}) => [code(key), about, '']),
    ],
  )

const actionTables = (): string =>
  [
    {of: 'customers', actions: customerActions.values()},
    {of: "a customer's own quotes", actions: myQuoteActions.values()},
    ...writables.map(({typeId, actions}) => ({of: collectionOf(typeId)?.segment, actions: actions.values()})),
  ]
    .map(({of, actions}) => `### Update actions of ${of}\n\n${actionsTable(actions)}`)
    .concat(`### Errors\n\n${errorsTable()}`)
    .join('\n\n')

/** The tables of each page, by the name of the marks around them. */
const tables: Readonly<Record<string, Readonly<Record<string, () => string>>>> = {
  'docs/administration.md': {kept: keptTable},
  'docs/compatibility.md': {served: servedTable},
  'docs/reference.md': {actions: actionTables},
  'docs/security.md': {limits: limitsTable},
  'docs/support.md': {acts: actsTable},
}

/** The text of a page with what is between `<!-- name -->` and `<!-- /name -->` replaced. Throws if a mark is missing. */
export function withBlock(page: string, name: string, content: string): string {
  const marks = new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*(<!-- /${name} -->)`)
  if (!marks.test(page)) throw new Error(`no mark ${name}`)
  return page.replace(marks, (_, from: string, to: string) => `${from}\n${content}\n\n${to}`)
}

/** The pages of docs/ that have generated tables, as they should be. */
export const pagesWithTables = (): readonly {readonly path: string; readonly text: string}[] =>
  Object.entries(tables).map(([path, blocks]) => ({
    path,
    text: Object.entries(blocks).reduce(
      (page, [name, made]) => withBlock(page, name, made()),
      readFileSync(path, 'utf8'),
    ),
  }))
