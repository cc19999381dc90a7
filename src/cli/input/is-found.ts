import {ApiError} from '../../domain/errors.js'
import {Failure} from '../process/failure.js'

/** What a call finds; undefined where there is no such thing. */
export async function ifFound<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call
  } catch (error) {
    const isAbsent =
      error instanceof ApiError ? error.statusCode === 404 : error instanceof Failure && error.ending === 'notFound'
    if (isAbsent) return undefined
    throw error
  }
}

/** Whether a call finds its resource: false for a 404, true for any other success. */
export const isFound = async (call: Promise<unknown>): Promise<boolean> =>
  (await ifFound(call.then(() => true))) ?? false
