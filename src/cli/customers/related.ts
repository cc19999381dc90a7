import type {Client, QueryValue} from '../../client/client.js'

/** Documents of other collections that belong to a customer. */

type Query = Readonly<Record<string, QueryValue>>

export interface RelatedPage {
  readonly results: readonly object[]
  readonly total?: number
}

/** A page of a collection, by its path below the project; undefined where the client may not read it. */
export async function relatedPage(client: Client, path: string, query: Query): Promise<RelatedPage | undefined> {
  const {status, body} = await client.raw('GET', `/${client.projectKey}/${path}`, {query})
  return status === 200 ? (body as RelatedPage) : undefined
}

/** How many documents of a collection satisfy a query; undefined where the client may not read them. */
export const relatedCount = async (client: Client, path: string, query: Query): Promise<number | undefined> =>
  (await relatedPage(client, path, {...query, limit: 1}))?.total
