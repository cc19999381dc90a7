import type {Registry} from '../../domain/action.js'
import {isObject} from '../../domain/equal.js'
import type {DeprecatedUse} from './operation.js'

/** Deprecated features that can be detected in a request body (decision 36). */

const member = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined

const actionsOf = (body: unknown): readonly unknown[] => {
  const actions = member(body, 'actions')
  return Array.isArray(actions) ? actions : []
}

/** The deprecated update actions of a registry. */
export const deprecatedActionUses = <R>(registry: Registry<R>): readonly DeprecatedUse[] => [
  ...[...registry.values()].flatMap(({name, deprecated}) =>
    deprecated
      ? [
          {
            feature: `update action ${name}`,
            ...deprecated,
            usedBy: (body: unknown) => actionsOf(body).some((action) => member(action, 'action') === name),
          },
        ]
      : [],
  ),
  {
    id: 'custom-fields-type-id',
    feature: 'typeId and typeKey of custom fields',
    alternative: 'type',
    since: '2016-01-15',
    usedBy: (body) =>
      actionsOf(body).some((action) => isOldType(action) || isOldType(member(member(action, 'address'), 'custom'))),
  },
]

const isOldType = (custom: unknown): boolean =>
  member(custom, 'type') === undefined &&
  (member(custom, 'typeId') !== undefined || member(custom, 'typeKey') !== undefined)

/** The deprecated members of sign-up and sign-in bodies. */
export const deprecatedDraftUses: readonly DeprecatedUse[] = [
  {
    id: 'customers-anonymous-cart-id',
    feature: 'anonymousCartId',
    alternative: 'anonymousCart',
    since: '2021-01-12',
    usedBy: (body) => member(body, 'anonymousCartId') !== undefined,
  },
  {
    id: 'custom-fields-type-id',
    feature: 'typeId and typeKey of custom fields',
    alternative: 'type',
    since: '2016-01-15',
    usedBy: (body) => {
      const addresses = member(body, 'addresses')
      const customs = [body, ...(Array.isArray(addresses) ? addresses : [])].map((owner) => member(owner, 'custom'))
      return customs.some(isOldType)
    },
  },
]
