import {uniqueKeysOf} from '../../domain/collections/index.js'
import type {Type} from '../../domain/collections/type.js'
import type {Customer} from '../../domain/customers/customer.js'
import {uniqueKeysOf as uniqueKeysOfCustomer} from '../../domain/customers/identity.js'
import {isObject} from '../../domain/equal.js'
import type {Predicate} from '../../query/ast.js'
import {type Document, type Put, VersionConflict} from '../../store/store.js'
import {inSlices} from '../../time-slices.js'
import {timestamp} from '../operation/commit.js'
import type {Context} from '../operation/context.js'
import {customized} from './in-use.js'

/** What becomes of the values of custom fields whose definition was removed (decision 35). */

const pageSize = 500
/** Others may change a resource as often while a value leaves it. */
const maxTries = 100

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

const following = (id: string): Predicate => ({
  op: 'compare',
  field: {path: ['id'], type: 'string'},
  comparison: '>',
  value: id,
})

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
  for (const kind of customized) {
    for (let last = ''; ; ) {
      const page = {where: following(last), limit: pageSize, offset: 0}
      const {results} = await platform.state.query<Document>(project.key, kind, page)
      const holders = results.filter((document) => without(document, typeId, names) !== document)
      await inSlices(holders, (document) => dropFrom(context, kind, document, typeId, names))
      const end = results.at(-1)
      if (!end || results.length < pageSize) break
      last = end.id
    }
  }
}

async function dropFrom(
  context: Context,
  kind: string,
  found: Document,
  typeId: string,
  names: readonly string[],
): Promise<void> {
  const {platform, project} = context
  let document: Document | undefined = found
  for (let attempt = 1; document; attempt += 1) {
    const next = without(document, typeId, names) as Document
    if (next === document) return
    try {
      await platform.state.commit(project.key, [putOf(context, kind, next)])
      return
    } catch (error) {
      if (!(error instanceof VersionConflict) || attempt === maxTries) throw error
      document = await platform.state.get<Document>(project.key, kind, found.id)
    }
  }
}

function putOf({now}: Context, kind: string, document: Document): Put {
  const at = timestamp(now)
  const doc = {...document, version: document.version + 1, versionModifiedAt: at, lastModifiedAt: at}
  const uniqueKeys = kind === 'customer' ? uniqueKeysOfCustomer(doc as unknown as Customer) : uniqueKeysOf(kind, doc)
  return {kind, expect: document.version, doc, uniqueKeys}
}
