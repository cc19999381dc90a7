import {accessTokens, refreshTokens} from '../documents/token.js'

/** By kind: reads of several operations that their commits do not expect, and why. */

export const cartReads = {
  cart: 'a cart that comes meanwhile comes after; one that is changed is expected',
  product: 'prices are those of the moment, and only a seed pack writes them',
  'tax-category': 'as prices',
}

export const passwordReads = {
  'password-work': 'it only rises',
  'failed-sign-in': 'failures are counted in commits of their own, which expect them',
}

export const oneTimeTokenReads = {
  'one-time-token': 'whoever makes or ends one writes the credential, which is expected',
}

export const removedTokenReads = {
  [accessTokens]: 'tokens go in commits of their own, and none comes behind the end of a customer or its sessions',
  [refreshTokens]: 'as access tokens',
}
