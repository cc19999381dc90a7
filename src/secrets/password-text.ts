import {createHash} from 'node:crypto'
import {ApiError} from '../domain/errors.js'

const maxBytes = 1024
/** bcrypt reads 72 bytes and stops at a NUL. */
const bcryptBytes = 72

/**
 * The input of bcrypt for a password: NFC-normalised and untrimmed. A text that bcrypt would truncate is replaced by a
 * digest with a prefix of ours, so that every byte counts and digests of other systems do not match (decision 19).
 */
export function passwordText(password: string, field: string): string {
  if (password === '') throw invalidField(field, 'It must not be empty.')
  if (!password.isWellFormed()) throw invalidField(field, 'It must be well-formed Unicode.')
  if (Buffer.byteLength(password) > maxBytes) throw invalidField(field, `It must not exceed ${maxBytes} bytes.`)
  const text = password.normalize('NFC')
  if (Buffer.byteLength(text) > maxBytes) throw invalidField(field, `It must not exceed ${maxBytes} bytes.`)
  if (Buffer.byteLength(text) <= bcryptBytes && !text.includes('\0')) return text
  return createHash('sha384').update('frontdesk-v1\0').update(text).digest('base64')
}

const invalidField = (field: string, rule: string): ApiError => ApiError.of('InvalidField', {field, rule})
