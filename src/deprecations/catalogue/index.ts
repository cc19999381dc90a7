import {readFileSync} from 'node:fs'
import {shipped} from '../../files/shipped.js'
import type {Deprecation, ScopeChange} from './entry.js'

/** Fields that went from several GraphQL types: one entry for each of both. */
interface GoneFields extends Pick<Deprecation, 'alternative' | 'dates'> {
  readonly types: readonly string[]
  readonly fields: readonly string[]
}

/** A GraphQL type that got scopes of its own: `view_…` for queries, `manage_…` for mutations; one entry for each. */
interface OwnScopes {
  readonly type: string
  readonly from: string
  readonly to: string
}

/** An entry as the file has it: a changed scope names it, unless it says more. */
type Written = Partial<Deprecation> | GoneFields | OwnScopes

/** A section of the interface's list; what its entries share stands beside them. */
type Section = Partial<Deprecation> & {readonly entries: readonly Written[]}

const kebab = (name: string): string => name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase()

const scopeEntry = (scope: ScopeChange): Partial<Deprecation> => ({
  id: `graphql-scope-${kebab(scope.type)}-${scope.operation}`,
  item: `${scope.type} ${scope.operation}: ${scope.previous} to ${scope.current}`,
  alternative: scope.current,
  scope,
})

function entriesOf(written: Written): Partial<Deprecation>[] {
  if ('from' in written) {
    const {type, from, to} = written
    return [
      scopeEntry({type, operation: 'query', previous: `view_${from}`, current: `view_${to}`}),
      scopeEntry({type, operation: 'mutation', previous: `manage_${from}`, current: `manage_${to}`}),
    ]
  }
  if (!('types' in written)) return [written.scope ? {...scopeEntry(written.scope), ...written} : written]
  const {types, fields, ...shared} = written
  return types.flatMap((type) =>
    fields.map((field) => ({
      id: `graphql-${kebab(type)}-${kebab(field)}`,
      item: `\`${field}\` on ${type}`,
      detect: [{in: 'field', names: [`${type}.${field}`]}],
      ...shared,
    })),
  )
}

/** A file of data beside this one. */
export const dataFile = (name: string): unknown =>
  JSON.parse(readFileSync(shipped('src', 'deprecations', 'catalogue', name), 'utf8'))

const sections = dataFile('catalogue.json') as readonly Section[]

/** Everything that API › Versioning calls deprecated or removed, in the order of its sections. */
export const catalogue = sections.flatMap(({entries, ...shared}) =>
  entries.flatMap(entriesOf).map((entry) => ({...shared, ...entry}) as Deprecation),
)

const byId = new Map(catalogue.map((entry) => [entry.id, entry]))

export const entryOf = (id: string): Deprecation | undefined => byId.get(id)
