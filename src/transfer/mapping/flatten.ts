import {jsonOrText} from '../input/cell.js'
import {draftShape, type Shape} from './draft-shape.js'

/**
 * A document as cells by dotted path, such as `addresses.0.city`. What a table cannot show as such is JSON: values of
 * custom fields that are not plain text, or that read like JSON. Empty arrays and objects have no cell.
 */
export function flatten(document: object): Map<string, string> {
  const cells = new Map<string, string>()
  put(cells, '', document, {kind: 'members', members: draftShape})
  return cells
}

function put(cells: Map<string, string>, path: string, value: unknown, shape: Shape | undefined): void {
  if (value === undefined || value === null) return
  if (shape?.kind === 'leaf' && shape.leaf === 'json') {
    const isText = typeof value === 'string' && jsonOrText(value) === value
    cells.set(path, isText ? value : JSON.stringify(value))
  } else if (Array.isArray(value)) {
    const each = shape?.kind === 'each' ? shape.each : undefined
    for (const [at, entry] of value.entries()) put(cells, `${path}.${at}`, entry, each)
  } else if (typeof value === 'object') {
    for (const [name, member] of Object.entries(value)) {
      put(cells, path === '' ? name : `${path}.${name}`, member, memberShape(shape, name))
    }
  } else {
    cells.set(path, String(value))
  }
}

function memberShape(shape: Shape | undefined, name: string): Shape | undefined {
  if (shape?.kind === 'members') return shape.members.get(name)
  return shape?.kind === 'open' ? {kind: 'leaf', leaf: shape.leaf} : undefined
}
