import type {Customer} from '../../domain/customers/customer.js'
import {withoutCustomer, withoutPayload} from '../../domain/customers/erase.js'
import {omit} from '../../domain/equal.js'
import type {Predicate} from '../../query/ast.js'
import {either, isFacet, names} from '../../query/predicates.js'
import type {Change, Document, Put} from '../../store/store.js'
import {allWhere} from '../documents/walk.js'
import {collections} from '../operation/collection-table.js'
import {putOf, type Resource, revised} from '../operation/commit.js'
import type {Context} from '../operation/context.js'
import {removeTokens} from '../operation/effects.js'

/** Finds and erases the data of a customer in other documents, for deletions with `dataErasure`. */

const all = <D extends Document>({runtime, project}: Context, kind: string, where: Predicate): Promise<D[]> =>
  allWhere<D>(runtime.state, project.key, kind, where)

type OwnedCart = Resource & {readonly customerId?: string; readonly customerEmail?: string}

/** The changes of the carts of a customer who is deleted and not erased: they stay as they are, and belong to nobody. */
export async function unownedCarts(context: Context, customerId: string): Promise<Put[]> {
  const carts = await all<OwnedCart>(context, 'cart', isFacet('customerId', customerId))
  return carts.map((cart) => {
    const free = omit({...cart, version: cart.version + 1}, ['customerId', 'customerEmail'])
    return putOf('cart', cart.version, revised(context, 'cart', free, []).resource)
  })
}

/** Kinds whose documents are of a customer or name one, by their rows, and the predicates that find those documents. */
const referring = collections.flatMap(({typeId: kind, owner, references}) => {
  const paths = references?.['customer'] ?? []
  if (owner !== 'customer' && paths.length === 0) return []
  const by = (id: string): Predicate =>
    owner === 'customer' ? isFacet('customerId', id) : either(...paths.map((path) => names(path, id)))
  return [{kind, by, lists: paths.map((path) => path.split('.')[0] ?? '')}]
})

export const erasedKinds: readonly string[] = [...referring.map(({kind}) => kind), 'message']

export interface Erasure {
  /** Changes of the project, for the commit that deletes the customer. */
  readonly changes: readonly Change[]
  /** What follows once that is durable: tokens, counters, and the old text on disk. */
  finish(): Promise<void>
}

export async function erasureOf(context: Context, customer: Customer): Promise<Erasure> {
  const {runtime, project} = context
  const referrers = await Promise.all(
    referring.map(async ({kind, by, lists}) => ({
      kind,
      lists,
      documents: await all(context, kind, by(customer.id)),
    })),
  )
  const quotes = referrers.filter(({kind}) => kind === 'quote').flatMap(({documents}) => documents)
  const subjects = [customer.id, ...quotes.map(({id}) => id)]
  const byResource = await Promise.all(subjects.map((id) => all(context, 'message', isFacet('resourceId', id))))
  const ofTokens = await all(context, 'message', isFacet('customerId', customer.id))
  const messages = new Map([...byResource.flat(), ...ofTokens].map((message) => [message.id, message]))
  return {
    changes: [
      ...referrers.flatMap(({kind, lists, documents}) =>
        documents.map((document) => {
          const doc = {...withoutCustomer(document, customer.id, lists), version: document.version + 1}
          return putOf(kind, document.version, doc)
        }),
      ),
      ...[...messages.values()].map((message) => ({
        kind: 'message',
        expect: message.version,
        doc: withoutPayload(message),
      })),
    ],
    finish: async () => {
      await removeTokens(context, customer.id)
      const target = {projectKey: project.key, email: customer.email, account: customer.id}
      await runtime.signInLockout.forget(target, context.now)
      await runtime.compact?.()
    },
  }
}
