export {
  introspectToken,
  requestAnonymousToken,
  requestCustomerToken,
  requestCustomerTokenInStore,
  requestToken,
  revokeToken,
} from '../../api/oauth/operations.js'
