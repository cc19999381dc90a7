import {holdsSecret} from '../domain/secret-members.js'
import {Failure, usage} from './failure.js'

export {refusalOf} from '../client/refusal.js'

const methods = ['GET', 'HEAD', 'POST', 'DELETE']

export interface RawRequest {
  readonly method: string
  /** Below the project, without a leading slash. */
  readonly path: string
  readonly writes: boolean
}

/** A method and a path that stay within the project. */
export function checkedRequest(method: string, path: string): RawRequest {
  const upper = method.toUpperCase()
  if (!methods.includes(upper)) throw usage(`'${method}' is not a method.`, `Use ${methods.join(', ')}.`)
  if (/^[a-z][a-z0-9+.-]*:/i.test(path) || path.startsWith('//')) {
    throw usage('The path is a URL.', 'Give a path below the project; --api-url chooses the address.')
  }
  const relative = path.replace(/^\//, '')
  const decoded = safeDecode(relative.split('?')[0] ?? '')
  if (decoded.split('/').includes('..') || /[\u0000-\u001f\\]/.test(decoded)) {
    throw usage('The path leaves the project.', 'Give a path below the project.')
  }
  if (holdsSecret(relative)) {
    throw new Failure('usage', 'SecretInArguments', 'The path holds a token: a secret is never an argument.', {
      hints: [
        'Other processes and the shell history can read it; invalidate it if it was real.',
        'Use `frontdesk customers password-token get` or `email-token get`.',
      ],
    })
  }
  return {method: upper, path: relative, writes: upper !== 'GET' && upper !== 'HEAD'}
}

function safeDecode(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    throw usage('The path is not well encoded.', 'Encode % as %25.')
  }
}
