import {usage} from '../process/failure.js'
import {type Io, variable} from '../process/io.js'
import type {FlagValues} from './flags.js'
import {secretFlags, secretFromFlags, sourceOf} from './secret-inputs.js'

export const keyVariable = 'FRONTDESK_CALLBACK_API_KEY'
const headerVariable = 'FRONTDESK_INTROSPECTION_AUTHORIZATION'
const minKeyLength = 16

export const keyFlags = secretFlags('api-key', 'API key', ` (${keyVariable})`)

export const headerFlags = secretFlags('authorization', 'Authorization header', ` (${headerVariable})`)

const given = async (flags: object, name: string, inEnvironment: string, io: Io): Promise<string | undefined> =>
  (await secretFromFlags(sourceOf(flags, name), io)) ?? variable(io.env, inEnvironment)

/** The API key of the callback; undefined if none is given. Throws for one that could be guessed. */
export async function apiKeyFromFlags(flags: FlagValues<typeof keyFlags>, io: Io): Promise<string | undefined> {
  const key = await given(flags, 'api-key', keyVariable, io)
  if (key === undefined || (key.length >= minKeyLength && /^[\x21-\x7e]+$/.test(key))) return key
  throw usage(
    `The API key has fewer than ${minKeyLength} characters, or others than visible ASCII.`,
    'Use a longer one.',
  )
}

/** The value of the header, scheme included; undefined if none is given. Throws for one that no header could be. */
export async function headerFromFlags(flags: FlagValues<typeof headerFlags>, io: Io): Promise<string | undefined> {
  const header = await given(flags, 'authorization', headerVariable, io)
  if (header === undefined || /^[\x21-\x7e][\x20-\x7e]+[\x21-\x7e]$/.test(header)) return header
  throw usage('The Authorization header holds other characters than printable ASCII.', 'Write it like: Bearer abc')
}
