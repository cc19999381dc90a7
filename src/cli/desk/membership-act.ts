import type {Client} from '../../client/client.js'
import type {Customer} from '../../domain/customers/customer.js'
import {relatedPage, resultsOf} from '../customers/related.js'
import {cellAt, valueAt} from '../output/fields.js'
import {type Act, listKeys, type Option, text, updateAct} from './act.js'

/** Groups and stores: chosen from a list of what the project has, or by key where it may not be read. */

const kinds = {
  group: {key: 'g', label: 'groups', path: 'customer-groups'},
  store: {key: 's', label: 'stores', path: 'stores'},
} as const

type Kind = keyof typeof kinds

const groupIdsOf = ({customerGroup, customerGroupAssignments}: Customer): readonly (string | undefined)[] => [
  customerGroup?.id,
  ...customerGroupAssignments.map((assignment) => assignment.customerGroup.id),
]

const isIn = (kind: Kind, customer: Customer, document: unknown): boolean =>
  kind === 'group'
    ? groupIdsOf(customer).includes(cellAt(document, 'id'))
    : customer.stores.some(({key}) => key === valueAt(document, 'key'))

/** What the project has, each with whether the customer is in it; nothing where the client may not read it. */
async function offersOf(kind: Kind, client: Client, customer: Customer): Promise<readonly Option[]> {
  const query = {sort: ['key asc'], limit: listKeys.length, where: ['key is defined']}
  return resultsOf(await relatedPage(client, kinds[kind].path, query)).map((document, at) => {
    const [key, name] = [cellAt(document, 'key'), valueAt(document, 'name')]
    const called = typeof name === 'string' && name !== key ? `${name} (${key})` : key
    const isMember = isIn(kind, customer, document)
    return {
      key: listKeys.charAt(at),
      label: isMember ? `take out of ${called}` : called,
      value: isMember ? `-${key}` : key,
    }
  })
}

export const membership = (kind: Kind): Act =>
  updateAct({
    key: kinds[kind].key,
    label: kinds[kind].label,
    about: `add the customer to a ${kind}, or take it out`,
    offers: (client, customer) => offersOf(kind, client, customer),
    asks: [
      text(kind, `Which ${kind}?`, {
        options: (_, offered) => offered,
        refuse: (answer) =>
          /^-?\s*[\w-]{2,}$/.test(answer.trim())
            ? undefined
            : `Type its key, as vip, or -vip to take the customer out of it.`,
      }),
    ],
    changes: (_, answers) => {
      const typed = (answers[kind] ?? '').trim()
      return typed.startsWith('-') ? [`--remove-${kind}`, typed.slice(1).trim()] : [`--add-${kind}`, typed]
    },
  })
