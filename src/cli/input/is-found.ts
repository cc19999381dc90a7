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

/** Whether the API itself says that there is no such thing, and nothing that stands in front of it. */
export const isGone = (error: unknown): boolean =>
  error instanceof ApiError && error.statusCode === 404 && !error.isForeign

/** What a call finds; undefined where the API itself says that there is no such thing. */
export const unlessGone = <T>(call: Promise<T>): Promise<T | undefined> =>
  call.catch((error: unknown) => (isGone(error) ? undefined : Promise.reject(error as Error)))

/** Whether a call finds its resource: false for a 404, true for any other success. */
export const isFound = async (call: Promise<unknown>): Promise<boolean> =>
  (await ifFound(call.then(() => true))) ?? false
