import {queryTypes} from '../../api/collections/operations.js'
import type {Client} from '../../client/client.js'
import {ApiError} from '../../domain/errors.js'
import type {Shape} from '../../query/ast.js'
import {shapesIn} from '../../query/field-shapes.js'
import {memberOf} from '../../query/path-reader.js'
import {Failure} from '../process/failure.js'

/** The shape of the value at a path below the fields of a type, as `['tier']`. */
export type ShapeOf = (typeId: string, below: readonly string[]) => Shape | undefined

/** Reads the types of the project that have these fields, by one request. Decision 62. */
export async function shapesOf(client: Client, names: readonly string[]): Promise<ShapeOf> {
  const query = {where: 'fieldDefinitions(name in :names)', 'var.names': names, limit: 500, withTotal: false}
  const {results} = await client.call(queryTypes, {}, {query}).catch((error: unknown) => {
    throw error instanceof ApiError && error.statusCode === 403 ? refusal(error) : error
  })
  const shapes = shapesIn(results)
  return (typeId, below) => {
    const kind = results.find(({id}) => id === typeId)?.resourceTypeIds?.[0] ?? ''
    return below.reduce<Shape | undefined>(
      (shape, step) => (shape?.array && /^\d+$/.test(step) ? shape : shape && memberOf(shape, step, shapes)),
      {fieldsOf: kind},
    )
  }
}

const refusal = ({code, message, statusCode}: ApiError): Failure =>
  new Failure('denied', code, `Without their types, custom fields are not compared: ${message}`, {
    hints: ['Use a client that holds view_types as well; `exists`, `missing` and `matches` need no types.'],
    statusCode,
  })
