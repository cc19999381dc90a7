import {isLoopbackHost} from '../network-reach.js'

/** The rule that an introspection URL breaks: https, or http on this machine only (decision 30). */
export function introspectionUrlProblem(text: string): string | undefined {
  if (text.length > maxUrl) return `It must not exceed ${maxUrl} characters.`
  if (!URL.canParse(text)) return 'It must be an absolute URL.'
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') return 'It must not hold a user name or password.'
  if (url.hash !== '' || text.includes('#')) return 'It must not have a fragment.'
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname))
  return isSafe ? undefined : 'It must be https, or http on this machine.'
}

const maxUrl = 2048
