/** The credentials of a project's first API client, in a file of the data folder (decision 2a). */
export interface LocalClient {
  readonly clientId: string
  readonly clientSecret: string
}

/** Parses such a file; undefined if it is truncated or something else. */
export function parsedClient(text: string): LocalClient | undefined {
  try {
    const {clientId, clientSecret} = JSON.parse(text) as Record<string, unknown>
    return typeof clientId === 'string' && typeof clientSecret === 'string' ? {clientId, clientSecret} : undefined
  } catch {
    return undefined
  }
}

export const noClient = (path: string): string => `${path} holds no API client.`

export const otherClient = (path: string): string => `Remove ${path}: the next use of the project makes another client.`
