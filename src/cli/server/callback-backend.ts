import {createHash} from 'node:crypto'
import {join} from 'node:path'
import {getCustomerByKey} from '../../api/customers/operations.js'
import type {Client} from '../../client/client.js'
import {administer} from '../../client/local/admin.js'
import {defined} from '../../domain/equal.js'
import {privateFolder, readPrivate, replacePrivate} from '../../files/private-file.js'
import {documentAt} from '../customers/related.js'
import {keyVariable} from '../input/endpoint-secrets.js'
import {ifFound} from '../input/is-found.js'
import {Failure} from '../process/failure.js'

const scopes = ['manage_my_profile', 'manage_my_orders', 'manage_my_quotes', 'manage_my_shopping_lists']

/** Users and carts of a project of the running local server. A customer of stores gets a token for the first of them. */
export function backendOf(client: Client, dataDir: string, origin: string) {
  const token = async (userKey: string): Promise<object> => {
    const {stores} = await client.call(getCustomerByKey, {key: userKey})
    const [store] = stores
    const named = {projectKey: client.projectKey, customer: {by: 'key' as const, value: userKey}}
    const body = {...named, scopes, ...defined({storeKey: store?.key})}
    const issued = await administer(dataDir, 'issueCustomerToken', {body, origin})
    return {...issued, accessToken: issued.access_token}
  }
  return {
    token: (userKey: string) => ifFound(token(userKey)),
    cart: (cartId: string) => ifFound(documentAt(client, `carts/${cartId}`)),
  }
}

/** The API keys of the callback: kept as digests beside the state, two of them while one replaces the other. */

const digestOf = (key: string): string => createHash('sha256').update(key, 'utf8').digest('base64url')

/**
 * The digests that are valid from now on, newest first. A new key stands beside the one before it, until `endRotation`
 * leaves the given one only.
 */
export function keptDigests(
  dataDir: string,
  projectKey: string,
  key: string | undefined,
  endRotation: boolean,
): readonly string[] {
  const path = join(privateFolder(dataDir), `${projectKey}.callback.json`)
  const text = readPrivate(path)
  const before = text === undefined ? [] : (JSON.parse(text) as {digests: string[]}).digests
  const own = key === undefined ? before.slice(0, 1) : [digestOf(key)]
  const digests = endRotation ? own : [...own, ...before.filter((digest) => !own.includes(digest))].slice(0, 2)
  if (digests.length === 0) {
    throw new Failure('needsAnswer', 'AnswerNeeded', 'There is no API key for the callback.', {
      hints: [`Add --api-key-file FILE or --api-key-stdin, or set ${keyVariable}.`],
    })
  }
  replacePrivate(path, `${JSON.stringify({digests})}\n`)
  return digests
}
