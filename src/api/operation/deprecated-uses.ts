import type {Registry} from '../../domain/action.js'
import {memberOf} from '../../domain/equal.js'
import type {DeprecatedUse} from './operation.js'

/** Deprecated features that can be detected in a request body (decision 36). */

const list = (value: unknown, name: string): readonly unknown[] => {
  const found = memberOf(value, name)
  return Array.isArray(found) ? found : []
}

const isOldType = (custom: unknown): boolean =>
  memberOf(custom, 'type') === undefined &&
  (memberOf(custom, 'typeId') !== undefined || memberOf(custom, 'typeKey') !== undefined)

/** The old reference to a type in some of the custom fields of a body. */
const oldTypes = (usedBy: DeprecatedUse['usedBy']): DeprecatedUse => ({
  id: 'custom-fields-type-id',
  feature: 'typeId and typeKey of custom fields',
  alternative: 'type',
  since: '2016-01-15',
  usedBy,
})

const hasOldType = (owner: unknown): boolean => isOldType(memberOf(owner, 'custom'))

export const deprecatedActionUses = <R>(registry: Registry<R>): readonly DeprecatedUse[] => [
  ...[...registry.values()].flatMap(({name, deprecated}) =>
    deprecated
      ? [
          {
            feature: `update action ${name}`,
            ...deprecated,
            usedBy: (body: unknown) => list(body, 'actions').some((action) => memberOf(action, 'action') === name),
          },
        ]
      : [],
  ),
  oldTypes((body) =>
    list(body, 'actions').some((action) => isOldType(action) || hasOldType(memberOf(action, 'address'))),
  ),
]

export const deprecatedDraftUses: readonly DeprecatedUse[] = [
  {
    id: 'customers-anonymous-cart-id',
    feature: 'anonymousCartId',
    alternative: 'anonymousCart',
    since: '2021-01-12',
    usedBy: (body) => memberOf(body, 'anonymousCartId') !== undefined,
  },
  oldTypes((body) => hasOldType(body) || list(body, 'addresses').some(hasOldType)),
]
