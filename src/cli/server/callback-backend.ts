import {getCustomerByKey} from '../../api/customers/operations.js'
import type {Client} from '../../client/client.js'
import {administer} from '../../client/local/admin.js'
import {refusalOf} from '../../client/transports/refusal.js'
import {defined} from '../../domain/equal.js'
import {ApiError} from '../../domain/errors.js'

const scopes = ['manage_my_profile', 'manage_my_orders', 'manage_my_quotes', 'manage_my_shopping_lists']

/** Users and carts of a project of the running local server. A customer of stores gets a token for the first of them. */
export const backendOf = (client: Client, dataDir: string, origin: string) => ({
  token: (userKey: string): Promise<object | undefined> =>
    unlessAbsent(async () => {
      const {stores} = await client.call(getCustomerByKey, {key: userKey})
      const [store] = stores
      const body = {
        projectKey: client.projectKey,
        customer: {by: 'key', value: userKey},
        scopes,
        ...defined({storeKey: store?.key}),
      }
      const token = await administer(dataDir, 'issueCustomerToken', {body, origin})
      return {...token, accessToken: token.access_token}
    }),
  cart: (cartId: string): Promise<object | undefined> =>
    unlessAbsent(async () => {
      const answer = await client.raw('GET', `/${client.projectKey}/carts/${cartId}`)
      if (answer.status === 200) return answer.body as object
      throw refusalOf(answer)
    }),
})

async function unlessAbsent<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof ApiError && error.statusCode === 404) return undefined
    throw error
  }
}
