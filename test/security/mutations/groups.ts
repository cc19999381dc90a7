import {bounds, peers, unread} from './bounds.js'
import {carts} from './carts.js'
import {handedOn} from './fallback.js'
import {foreign} from './foreign.js'
import {credentials, elsewhere, requests} from './front.js'
import {graphqlQueries} from './graphql.js'
import {jobs} from './jobs.js'
import {knownTokens} from './known.js'
import type {MutationGroup} from './mutation.js'
import {permissions} from './permissions.js'
import {rememberedRequests} from './requests.js'
import {signIns} from './sign-in.js'
import {storage} from './storage.js'
import {syncs} from './sync.js'
import {terminals} from './terminal.js'
import {tokenLife} from './tokens.js'
import {windows} from './window.js'
import {foreignFiles} from './xml.js'

/** All mutations of the project. */
export const groups: readonly MutationGroup[] = [
  permissions,
  tokenLife,
  knownTokens,
  requests,
  rememberedRequests,
  credentials,
  signIns,
  syncs,
  terminals,
  elsewhere,
  jobs,
  bounds,
  peers,
  unread,
  storage,
  foreign,
  windows,
  handedOn,
  carts,
  graphqlQueries,
  foreignFiles,
]
