import type {Type} from '../../domain/collections/type.js'
import {isObject} from '../../domain/equal.js'
import type {Document} from '../../store/store.js'
import {collections} from '../operation/collection-table.js'
import {putOf, timestamp} from '../operation/commit.js'
import type {Context} from '../operation/context.js'
import {retrying} from '../operation/retrying.js'
import {walked} from '../operation/walk.js'

/** What becomes of the values of custom fields whose definition was removed (decision 35). */

const namesIn = ({fieldDefinitions = []}: Type): readonly string[] => fieldDefinitions.map(({name}) => name)

/** A tree of JSON without the values of some fields of a type; the same tree if it has none of them. */
function without(value: unknown, typeId: string, names: readonly string[]): unknown {
  if (Array.isArray(value)) {
    const next = value.map((entry: unknown) => without(entry, typeId, names))
    return next.every((entry, at) => entry === value[at]) ? value : next
  }
  if (!isObject(value)) return value
  const {type, fields} = value
  if (isObject(type) && type['id'] === typeId && isObject(fields)) {
    const kept = Object.entries(fields).filter(([name]) => !names.includes(name))
    return kept.length === Object.keys(fields).length ? value : {...value, fields: Object.fromEntries(kept)}
  }
  const entries = Object.entries(value).map(([name, member]) => [name, without(member, typeId, names)] as const)
  return entries.every(([name, member]) => member === value[name]) ? value : Object.fromEntries(entries)
}

/**
 * Removes the values of the fields that a type has lost wherever resources have them, page by page; each resource that
 * had some gets a new version. The type is stored already, so that no values come to be behind it.
 */
export async function dropValues(context: Context, before: Type, after: Type): Promise<void> {
  const {platform, project} = context
  const typeId = after.id
  const left = namesIn(after)
  const names = namesIn(before).filter((name) => !left.includes(name))
  if (names.length === 0) return
  for (const {typeId: kind, references} of collections) {
    if (!references?.['type']) continue
    for await (const document of walked<Document>(platform.state, project.key, kind)) {
      if (without(document, typeId, names) === document) continue
      await retrying(async () => {
        const current = await platform.state.get<Document>(project.key, kind, document.id)
        const next = current && (without(current, typeId, names) as Document)
        if (next === undefined || next === current) return
        await platform.state.commit(project.key, [putOf(kind, next.version, revisedBy(context, next))])
      })
    }
  }
}

function revisedBy({now}: Context, document: Document): Document {
  const at = timestamp(now)
  return Object.assign({}, document, {version: document.version + 1, versionModifiedAt: at, lastModifiedAt: at})
}
