import {type Environment, variable} from './io.js'

/** Whether a terminal moves no cursor and knows no styles. */
export const isDumb = (env: Environment): boolean => variable(env, 'TERM') === 'dumb'

/** Whether a terminal is for plain lines of ASCII: dumb, or in a locale without more. An unset locale says nothing of it. */
export function isPlain(env: Environment): boolean {
  const locale = variable(env, 'LC_ALL') ?? variable(env, 'LC_CTYPE') ?? variable(env, 'LANG')
  return isDumb(env) || (locale !== undefined && !/utf-?8/i.test(locale))
}
