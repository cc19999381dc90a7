import {ApiError} from '../../domain/errors.js'

/** What a call finds; undefined for a 404. */
export async function ifFound<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call
  } catch (error) {
    if (error instanceof ApiError && error.statusCode === 404) return undefined
    throw error
  }
}

/** Whether a call finds its resource: false for a 404, true for any other success. */
export const isFound = async (call: Promise<unknown>): Promise<boolean> =>
  (await ifFound(call.then(() => true))) ?? false
