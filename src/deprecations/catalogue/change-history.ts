import {type Deprecation, kebab, restEntry} from './entry.js'
import type {Pattern} from './pattern.js'

/** A change type as a record shows it, and the change name as a query asks for it. */
const change = (types: readonly string[], names: RegExp): readonly Pattern[] => [
  {in: 'body', at: 'changes[].type', values: types},
  {in: 'url', place: 'GET *', query: 'changes', value: names},
]

const roleChange = /^(add|remove)Roles$/

const withName = ['discount-code', 'state', 'store']

/** Types of the Change History. */
export const changeHistory: readonly Deprecation[] = [
  ...['Associate', 'Price', 'ProductSelection'].map((name) =>
    restEntry({
      id: `change-history-${kebab(name)}-changes`,
      area: 'Change History',
      item: `Add${name}Change, Remove${name}Change`,
      alternative: `Set${name}sChange`,
      dates: {deprecated: '2025-10-23'},
      detect: change([`Add${name}Change`, `Remove${name}Change`], new RegExp(`^(add|remove)${name}$`)),
    }),
  ),
  restEntry({
    id: 'change-history-state-roles-changes',
    area: 'Change History',
    item: 'AddStateRolesChange, RemoveStateRolesChange',
    alternative: 'SetStateRolesChange',
    dates: {deprecated: '2025-10-23'},
    detect: [
      {in: 'body', at: 'changes[].type', values: ['AddStateRolesChange', 'RemoveStateRolesChange']},
      // Channels have changes of the same name, so the request must speak of states.
      {in: 'url', place: 'GET /states', query: 'changes', value: roleChange},
      {in: 'url', place: 'GET /states/{}', query: 'changes', value: roleChange},
      {
        in: 'url',
        place: 'GET *',
        query: 'changes',
        value: roleChange,
        beside: {query: 'resourceTypes', value: /^states?$/},
      },
    ],
  }),
  restEntry({
    id: 'change-history-amount-authorized-change',
    area: 'Change History',
    item: 'ChangeAmountAuthorizedChange',
    alternative: 'none (field no longer exists)',
    dates: {deprecated: '2025-10-23'},
    detect: change(['ChangeAmountAuthorizedChange'], /^changeAmountAuthorized$/),
  }),
  restEntry({
    id: 'change-history-set-name-change',
    area: 'Change History',
    item: 'SetNameChange for Discount Codes, States, Stores',
    alternative: 'SetLocalizedNameChange',
    dates: {announced: '2023-07-18', performed: '2023-10-18'},
    detect: [
      {
        in: 'body',
        at: 'changes[].type',
        values: ['SetNameChange'],
        when: {up: 1, member: 'resource.typeId', is: withName},
      },
    ],
  }),
]
