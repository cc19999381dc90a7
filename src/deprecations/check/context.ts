import type {Operation} from './graphql.js'
import type {Emit} from './rules.js'
import type {Scope} from './scopes.js'

/** What checking one file gathers besides hits. */
export interface Gathered {
  /** The scopes of one client, for each list of scopes in the file. */
  readonly scopeLists: (readonly Scope[])[]
  readonly operations: Operation[]
  /** What a person should know of the check itself. */
  readonly notes: {readonly message: string; readonly offset: number; readonly isUnread?: true}[]
}

/** What every check of a file needs. */
export interface FileContext {
  readonly emit: Emit
  readonly gathered: Gathered
  /** Whether the file surely talks to the platform, so that ordinary names in it mean what they mean there. */
  readonly isKnown: boolean
}

const signs = /commercetools|sphere\.io|project_?key|\bCTP_|apiRoot|\/in-store\/key=/i

/** Whether a text shows that it talks to the platform. */
export const speaksOfPlatform = (text: string): boolean => signs.test(text)
