import {toJsonSchema} from '@valibot/to-json-schema'
import {sourceConfig} from '../../bin/source-config.mjs'
import {operations} from '../../src/api/index.js'
import {collectionOf} from '../../src/api/operation/collection-table.js'
import type {Permission} from '../../src/api/operation/operation.js'
import {storedKinds} from '../../src/api/operation/stored-kinds.js'
import {scopesOfAll, sometimesText} from '../../src/cli/command/scopes.js'
import {acts, steering} from '../../src/cli/desk/acts.js'
import type {AnyAction} from '../../src/domain/action.js'
import {writables} from '../../src/domain/collections/index.js'
import {hashForms} from '../../src/domain/credentials/hash-forms.js'
import {customerActions} from '../../src/domain/customers/actions/index.js'
import {catalogue} from '../../src/domain/errors.js'
import {myQuoteActions} from '../../src/domain/quotes/actions/index.js'
import {limitTable} from '../../src/limits.js'

/** Tables of the documentation, made from the registries. */

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

const code = (text: string): string => `\`${text}\``

const list = (names: readonly string[]): string => names.map(code).join(', ')

function permissionOf(permission: Permission): string {
  switch (permission.kind) {
    case 'open':
      return 'none'
    case 'basic':
      return `client (HTTP Basic)${permission.scope === undefined ? '' : ` with ${code(permission.scope)}`}`
    case 'admin':
      return 'local administration'
    case 'bearer': {
      const bound = {
        customer: ' and a customer',
        anonymous: ' and a session',
        either: ' and a customer or session',
        optional: '',
      }
      return `${permission.anyOf.map(code).join(' or ')}${permission.bound ? bound[permission.bound] : ''}`
    }
  }
}

export function operationsTable(): string {
  const rows = operations
    .filter(({id}) => !id.endsWith('InStore') || id === 'requestCustomerTokenInStore')
    .map(({method, path, summary, permission, inStore}) => [
      method,
      code(path),
      summary,
      permissionOf(permission),
      inStore ? 'yes' : '',
    ])
  return table(['Method', 'Path', 'What it does', 'Needs', 'Store twin'], rows)
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

export function actionsTable(actions: Iterable<Described>): string {
  const rows = [...actions].map(({name, summary, schema, messages, errors = [], my, deprecated}) => [
    code(name),
    `${summary}${deprecated ? ` (deprecated: use ${deprecated.alternative})` : ''}`,
    looseMembers[name] ?? membersOf(schema),
    list(errors),
    list(messages),
    my ? 'yes' : '',
  ])
  return table(['Action', 'What it does', 'Members (required in bold)', 'Errors of its own', 'Messages', '`/me`'], rows)
}

export function errorsTable(): string {
  return table(
    ['Code', 'Status'],
    Object.entries(catalogue).map(([name, {status}]) => [code(name), String(status)]),
  )
}

export function limitsTable(): string {
  const rows = Object.values(limitTable).map(({most, counts, refusal}) => [
    most.toLocaleString('en-US'),
    counts,
    refusal,
  ])
  return table(['At most', 'What is counted', 'Beyond it'], rows)
}

/** A page with a table between its two marks. */
const withTable =
  (mark: string, content: () => string) =>
  (page: string): string =>
    page.replace(
      new RegExp(`(<!-- ${mark} -->\\n)[\\s\\S]*(<!-- /${mark} -->)`),
      (_, from: string, to: string) => `${from}\n${content()}\n\n${to}`,
    )

export const withLimits = withTable('limits', limitsTable)

const hashFormsTable = (): string =>
  table(
    ['Form', 'Looks like', 'Used by'],
    hashForms.map(({name, shape, usedBy}) => [code(name), code(shape), usedBy]),
  )

const keptTable = (): string =>
  table(
    ['Kind', 'What it is', 'Kept'],
    storedKinds.map(({kind, holds, retention}) => [code(kind), holds, retention?.term ?? 'until it is deleted']),
  )

export const withKept = withTable('kept', keptTable)

export const withHashForms = withTable('hash-forms', hashFormsTable)

const ofOne = /\/\{id\}$|\/key=\{key\}$/

/** What is served, a row for each path below a project: what the collection takes, and what one of it does. */
function servedTable(): string {
  const rows = new Map<string, {readonly all: Set<string>; readonly one: Set<string>; inStore: boolean}>()
  for (const {path, method, permission, inStore, id} of operations) {
    if (permission.kind !== 'bearer' || id.endsWith('InStore')) continue
    const base = path.replace(ofOne, '').replace('/{projectKey}', '') || '/'
    const row = rows.get(base) ?? {all: new Set(), one: new Set(), inStore: false}
    const methods = ofOne.test(path) ? row.one : row.all
    methods.add(method)
    rows.set(base, {...row, inStore: row.inStore || inStore === true})
  }
  const cells = [...rows].map(([base, {all, one, inStore}]) => [
    code(base),
    [...all].join(', '),
    [...one].join(', '),
    inStore ? 'yes' : '',
  ])
  return table(['Below `/{projectKey}`', 'The path', 'By id and key', 'Below a store'], cells)
}

export const withServed = withTable('served', servedTable)

const actsTable = (): string =>
  table(
    ['Key', 'What it does', 'Command'],
    [
      ...acts.map(({key, about, command}) => [code(key), about, code(command)]),
      ...steering.map(({key, about}) => [code(key), about, '']),
    ],
  )

export const withActs = withTable('acts', actsTable)

export const apiPage = (): string => `# The API of the local server

Generated from the registries by \`npm run docs\`. The same, for programs: \`/openapi.json\` of a running server.

## Operations

${operationsTable()}

## Update actions of customers

${actionsTable(customerActions.values())}

## Update actions of a customer's own quotes

${actionsTable(myQuoteActions.values())}

${writables.map(({typeId, actions}) => `## Update actions of ${collectionOf(typeId)?.segment}\n\n${actionsTable(actions.values())}`).join('\n\n')}

## Limits

What one request may ask for, and what one server takes at a time. Each is looked at before the work that it bounds.

${limitsTable()}

## Errors

${errorsTable()}
`

/** The commands with the scopes that they need. */
export async function commandsPage(root: string): Promise<string> {
  const config = await sourceConfig(root)
  const needs = new Map((await scopesOfAll(config)).map((need) => [need.command, need]))
  const rows = config.commands
    .map(({id, summary = ''}) => ({name: id.replaceAll(':', ' '), summary}))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({name, summary}) => {
      const {scopes = [], also = []} = needs.get(name) ?? {}
      return [code(name), summary, [list(scopes), ...also.map(sometimesText)].filter((text) => text !== '').join('; ')]
    })
  return `# Commands

Generated from the commands by \`npm run docs\`; \`frontdesk COMMAND --help\` says more. A scope stands for the project
or store of the target: \`frontdesk check scopes COMMAND\` tells whether the credentials have it.

${table(['Command', 'What it does', 'Scopes'], rows)}
`
}
