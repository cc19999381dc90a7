import {Expected} from '../../domain/errors.js'

export interface InputProblem {
  /** The file as the caller named it. */
  readonly file?: string
  /** From 1. */
  readonly line?: number
  /** A column of the file, or where in the line. */
  readonly column?: string | number
  /** What to do about it, as one imperative sentence. */
  readonly remedy?: string
}

/** A file, map or option that cannot be used at all; nothing was sent. Commands end with code 2. */
export class InputError extends Expected {
  override readonly name = 'InputError'
  readonly file?: string
  readonly line?: number
  readonly column?: string | number
  readonly remedy?: string

  constructor(message: string, problem: InputProblem = {}, options?: ErrorOptions) {
    const {remedy, ...place} = problem
    super('usage', 'InvalidFile', message, {
      hints: [remedy],
      details: place.file === undefined ? [] : [place],
      ...options,
    })
    Object.assign(this, problem)
  }
}
