import {ApiError} from '../../domain/errors.js'

/** Whether a call finds what it asks for. */
export async function isFound(call: Promise<unknown>): Promise<boolean> {
  try {
    await call
    return true
  } catch (error) {
    if (error instanceof ApiError && error.statusCode === 404) return false
    throw error
  }
}
