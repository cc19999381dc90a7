import {type FlagValues, optionalArg, textFlag} from '../input/flags.js'
import {secretFrom} from '../input/secret-inputs.js'
import {Failure, usage} from '../process/failure.js'
import type {Run} from '../run/run.js'
import {savedSession} from './sessions.js'

export const tokenArgs = {
  source: optionalArg('- to read the token from stdin'),
}

export const tokenFileFlag = {
  'token-file': textFlag('FILE', 'Read the token from a file that only you can read.'),
}

export const tokenFlags = {
  ...tokenFileFlag,
  saved: textFlag('NAME', 'The token of a session saved with `token issue --save`.'),
}

/** The token that arguments and flags name, or a person types. `part`: which token of a saved session is meant. */
export async function tokenFromInput(
  {flags, io, ask, folders, resolved}: Run<FlagValues<typeof tokenFlags>>,
  source: string | undefined,
  part: 'access' | 'refresh' = 'access',
): Promise<string> {
  if (source !== undefined && source !== '-') {
    throw new Failure('usage', 'SecretInArguments', 'A token is never an argument.', {
      hints: [
        'Other processes and the shell history can read it; revoke it if it was real.',
        'Use - to read it from stdin, --token-file FILE or --saved NAME.',
      ],
    })
  }
  const given = [source, flags['token-file'], flags.saved].filter((one) => one !== undefined)
  if (given.length > 1) throw usage('Give the token in one way only.', 'Use -, --token-file FILE or --saved NAME.')
  if (flags.saved !== undefined) {
    const {accessToken, refreshToken} = savedSession(folders.cache, flags.saved, resolved)
    if (part === 'access') return accessToken
    if (refreshToken !== undefined) return refreshToken
    throw usage(
      `The session '${flags.saved}' has no refresh token.`,
      'Only the password and anonymous flows issue one.',
    )
  }
  return secretFrom(
    {stdin: source === '-', file: flags['token-file']},
    {io, ask, question: 'Token:', flag: '- with the token on stdin, or --token-file'},
  )
}
