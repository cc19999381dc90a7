import {readFileSync} from 'node:fs'
import {shipped} from '../../files/shipped.js'
import type {Deprecation} from './entry.js'

/** A section of the interface's list; what its entries share stands beside them. */
type Section = Partial<Deprecation> & {readonly entries: readonly Partial<Deprecation>[]}

/** A file of data beside this one. */
export const dataFile = (name: string): unknown =>
  JSON.parse(readFileSync(shipped('src', 'deprecations', 'catalogue', name), 'utf8'))

const sections = dataFile('catalogue.json') as readonly Section[]

/** Everything that API › Versioning calls deprecated or removed, in the order of its sections. */
export const catalogue = sections.flatMap(({entries, ...shared}) =>
  entries.map((entry) => ({...shared, ...entry}) as Deprecation),
)

const byId = new Map(catalogue.map((entry) => [entry.id, entry]))

export const entryOf = (id: string): Deprecation | undefined => byId.get(id)
