import type {CustomShapes, Shape} from './ast.js'

const anything: Shape = {open: true}

/**
 * The shape of a member; undefined if there is none. A custom field has the shape that the types of its project give it,
 * and any shape if no type has its name.
 */
export function memberOf(shape: Shape, name: string, custom: CustomShapes | undefined): Shape | undefined {
  if ('fieldsOf' in shape) return custom?.get(shape.fieldsOf)?.get(name) ?? anything
  if ('open' in shape) return shape.of ?? anything
  return 'members' in shape && Object.hasOwn(shape.members, name) ? shape.members[name] : undefined
}
