import {ApiError} from '../../domain/errors.js'

/** Whether a call finds its resource: false for a 404, true for any other success. */
export async function isFound(call: Promise<unknown>): Promise<boolean> {
  try {
    await call
    return true
  } catch (error) {
    if (error instanceof ApiError && error.statusCode === 404) return false
    throw error
  }
}
