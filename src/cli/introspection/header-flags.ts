import {Flags} from '@oclif/core'
import {usage} from '../process/failure.js'
import {type Io, variable} from '../process/io.js'
import {givenSecret} from '../secrets/secret-inputs.js'

export const headerVariable = 'FRONTDESK_INTROSPECTION_AUTHORIZATION'

export const headerFlags = {
  'authorization-file': Flags.string({
    helpValue: 'FILE',
    summary: `Read the Authorization header from a file that only you can read (${headerVariable}).`,
  }),
  'authorization-stdin': Flags.boolean({
    exclusive: ['authorization-file'],
    summary: 'Read the Authorization header from stdin.',
  }),
}

export interface HeaderFlags {
  readonly 'authorization-file'?: string | undefined
  readonly 'authorization-stdin'?: boolean
}

/** The value of the header, scheme included; undefined if none is given. Throws for one that no header could be. */
export async function givenHeader(flags: HeaderFlags, io: Io): Promise<string | undefined> {
  const {'authorization-file': file, 'authorization-stdin': stdin} = flags
  const header = (await givenSecret({file, ...(stdin ? {stdin} : {})}, io)) ?? variable(io.env, headerVariable)
  if (header === undefined || /^[\x21-\x7e][\x20-\x7e]+[\x21-\x7e]$/.test(header)) return header
  throw usage('The Authorization header holds other characters than printable ASCII.', 'Write it like: Bearer abc')
}
