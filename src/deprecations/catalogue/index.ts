import {changeHistory} from './change-history.js'
import {customers} from './customers.js'
import type {Deprecation} from './entry.js'
import {graphqlFields, graphqlScopes} from './graphql-fields.js'
import {graphqlInputs} from './graphql-inputs.js'
import {importing} from './importing.js'
import {orders} from './orders.js'
import {products} from './products.js'
import {project} from './project.js'

/** Everything that API › Versioning calls deprecated or removed, in the order of its sections. */
export const catalogue: readonly Deprecation[] = [
  ...customers,
  ...changeHistory,
  ...importing,
  ...orders,
  ...products,
  ...project,
  ...graphqlFields,
  ...graphqlInputs,
  ...graphqlScopes,
]

const byId = new Map(catalogue.map((entry) => [entry.id, entry]))

export const entryOf = (id: string): Deprecation | undefined => byId.get(id)
