import {emptyOk, stdErr, stdOk} from './expectations.js'
import type {Shop} from './shop.js'
import type {Answer} from './wire.js'

/** The six endpoints of the authorization service, each with a form that works. */
export interface Endpoint {
  readonly path: string
  /** Absent for revocation, which answers 200 to everything that is no valid request (API › Authorization). */
  readonly required?: string
  form(shop: Shop): Promise<Readonly<Record<string, string>>>
}

const withToken = async (shop: Shop) => ({token: await shop.token('ADM')})
const client = async () => ({grant_type: 'client_credentials'})

export const endpoints: readonly Endpoint[] = [
  {path: '/oauth/token', required: 'grant_type', form: client},
  {
    path: '/oauth/shop/customers/token',
    required: 'grant_type',
    form: async () => ({grant_type: 'password', username: 'g@example.com', password: 'right horse G'}),
  },
  {
    path: '/oauth/shop/in-store/key=S1/customers/token',
    required: 'grant_type',
    form: async () => ({grant_type: 'password', username: 'k1@example.com', password: 'right horse K1'}),
  },
  {path: '/oauth/shop/anonymous/token', required: 'grant_type', form: client},
  {path: '/oauth/introspect', required: 'token', form: withToken},
  {path: '/oauth/token/revoke', form: withToken},
]

export const isRevocation = ({required}: Endpoint): boolean => required === undefined

/** A request that counts as invalid: 400, or at the revocation endpoint an empty 200. */
export function refusedAsInvalid(endpoint: Endpoint, answer: Answer): void {
  if (isRevocation(endpoint)) emptyOk(answer)
  else stdErr(answer, 400, 'invalid_request')
}

export function accepted(endpoint: Endpoint, answer: Answer): void {
  if (isRevocation(endpoint)) emptyOk(answer)
  else stdOk(answer)
}
