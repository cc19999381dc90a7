/** Parts of the shapes of several resources: what predicates, sorts and expansions know of them. */

const text = {leaf: 'string'} as const

/** A reference by id. */
export const reference = {members: {typeId: text, id: text}} as const

/** `createdBy` and `lastModifiedBy`. */
export const author = {
  members: {
    clientId: text,
    isPlatformClient: {leaf: 'boolean'},
    externalUserId: text,
    customer: reference,
    anonymousId: text,
  },
} as const

/** Custom fields of any type. */
export const custom = {members: {type: reference, fields: {open: true}}} as const
