import {type Environment, variable} from './io.js'

/**
 * Whether failures are printed as JSON; read from the raw arguments, since parsing the flags may be what fails. `output`
 * knows the form that the profile chooses, where that can be read.
 */
export function printsJson(
  argv: readonly string[],
  env: Environment,
  output?: {readonly form: unknown} | undefined,
): boolean {
  const end = argv.indexOf('--')
  const own = end === -1 ? argv : argv.slice(0, end)
  const given = own.flatMap((argument, index) => {
    if (argument === '-o' || argument === '--output') return [own[index + 1] ?? '']
    const inline = /^(?:--output=|-o=?)(.+)$/.exec(argument)?.[1]
    return inline === undefined ? [] : [inline]
  })
  if (own.includes('--json') || (given.at(-1) ?? variable(env, 'FRONTDESK_OUTPUT')) === 'json') return true
  try {
    return output?.form === 'json'
  } catch {
    return false
  }
}
