import {type Environment, variable} from './io.js'

/** Whether failures are printed as JSON, also if the profile, which may choose the form, cannot be read. */
export function owesJson(argv: readonly string[], env: Environment, output: {readonly form: unknown} | undefined) {
  if (wantsJson(argv, env)) return true
  try {
    return output?.form === 'json'
  } catch {
    return false
  }
}

/** Whether failures are printed as JSON; read from the raw arguments, since parsing the flags may be what fails. */
export function wantsJson(argv: readonly string[], env: Environment): boolean {
  const end = argv.indexOf('--')
  const own = end === -1 ? argv : argv.slice(0, end)
  const given = own.flatMap((argument, index) => {
    if (argument === '-o' || argument === '--output') return [own[index + 1] ?? '']
    const inline = /^(?:--output=|-o=?)(.+)$/.exec(argument)?.[1]
    return inline === undefined ? [] : [inline]
  })
  if (own.includes('--json')) return true
  return (given.at(-1) ?? variable(env, 'FRONTDESK_OUTPUT')) === 'json'
}
