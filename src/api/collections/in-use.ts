import type {Resource} from '../../domain/collections/writable.js'
import {ApiError} from '../../domain/errors.js'
import {either, names} from '../../query/predicates.js'
import {collections} from '../operation/collection-table.js'
import type {Context} from '../operation/context.js'

/** Throws ReferenceExists if a resource of any kind refers to this one, by the paths that its row declares. */
export async function checkUnreferenced({platform, project}: Context, typeId: string, {id, key}: Resource) {
  for (const {typeId: kind, references} of collections) {
    const terms = (references?.[typeId] ?? []).flatMap((path) => {
      const name = path.endsWith('.key') ? key : id
      return name === undefined ? [] : [names(path, name)]
    })
    if (terms.length === 0) continue
    const {results} = await platform.state.query(project.key, kind, {where: either(...terms), limit: 1, offset: 0})
    if (results.length > 0) throw ApiError.of('ReferenceExists', {typeId, referencedBy: kind})
  }
}
