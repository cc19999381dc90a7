import {defined} from './equal.js'
import {hidden} from './redact.js'

/** The error catalogue: one row per code with its HTTP status, its text and the members it adds to the body. */

export interface ReferenceLike {
  readonly typeId: string
  readonly id?: string
  readonly key?: string
}

interface EnumKey {
  readonly conflictingEnumKey: string
  /** The name of the field; the platform uses the member for attributes and fields alike. */
  readonly conflictingAttributeName: string
}

export interface Row<D> {
  readonly status: number
  readonly statusIfLate?: number
  readonly text: (details: D) => string
  /** Details shown beside `code` and `message`, or the members made of them. Absent: none. */
  readonly shows?: readonly (keyof D & string)[] | ((details: D) => object)
}

const row = <D>(entry: Row<D>): Row<D> => entry

const bad = <D>(text: Row<D>['text'], shows: readonly (keyof D & string)[] = []): Row<D> => ({status: 400, text, shows})

/** A row whose text the thrower passes. */
const free = (status: number): Row<{message: string; retryAfterSeconds?: number; late?: boolean}> => ({
  status,
  text: ({message}) => message,
})

/** A row whose text is always the same: what else the thrower tells is for the request log. */
const fixed = (status: number, text: string): Row<object> => ({status, text: () => text})

const briefCharacters = 500

/** A refused value as an error repeats it: the beginning of a long one. */
function brief(value: unknown): unknown {
  const text = typeof value === 'string' ? value : String(JSON.stringify(value))
  return text.length > briefCharacters ? `${text.slice(0, briefCharacters)}…` : value
}

const shown = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : JSON.stringify(value))

export const catalogue = {
  // 400
  AnonymousIdAlreadyInUse: fixed(400, 'The given anonymous ID is already in use.'),
  DuplicateField: bad<{field: string; duplicateValue: unknown}>(
    ({field, duplicateValue}) =>
      field === 'email'
        ? 'There is already an existing customer with the provided email.'
        : `A duplicate value ${shown(duplicateValue)} exists for field '${field}'.`,
    ['field', 'duplicateValue'],
  ),
  DuplicateEnumValues: bad<{duplicates: readonly string[]}>(
    ({duplicates}) => `The enum values contain duplicate keys: ${duplicates.join(', ')}.`,
    ['duplicates'],
  ),
  EnumKeyAlreadyExists: bad<EnumKey>(
    ({conflictingAttributeName, conflictingEnumKey}) =>
      `The ${conflictingAttributeName} attribute definition already contains an enum value with the key ${conflictingEnumKey}.`,
    ['conflictingEnumKey', 'conflictingAttributeName'],
  ),
  EnumKeyDoesNotExist: bad<EnumKey>(
    ({conflictingAttributeName, conflictingEnumKey}) =>
      `The ${conflictingAttributeName} field definition does not contain an enum value with the key ${conflictingEnumKey}.`,
    ['conflictingEnumKey', 'conflictingAttributeName'],
  ),
  EnumValuesMustMatch: fixed(400, 'The given values must be equal to the existing enum values.'),
  ExpiredCustomerEmailToken: fixed(400, 'The given email token has expired.'),
  ExpiredCustomerPasswordToken: fixed(400, 'The given password token has expired.'),
  InvalidCredentials: fixed(400, 'Customer account with the given credentials not found.'),
  InvalidCurrentPassword: fixed(400, 'The given current password does not match.'),
  InvalidField: row<{field: string; invalidValue?: unknown; allowedValues?: readonly unknown[]; rule?: string}>({
    status: 400,
    text: ({field, invalidValue, allowedValues, rule}) => {
      const value = invalidValue === undefined ? 'The value' : `The value ${shown(brief(invalidValue))}`
      const why = rule ? ` ${rule}` : ''
      const list = allowedValues ? ` Allowed values: ${allowedValues.map(shown).join(', ')}.` : ''
      return `${value} is not valid for field '${field}'.${why}${list}`
    },
    // The member is required: a value that must not be shown is masked.
    shows: ({field, invalidValue = hidden, allowedValues}) => ({
      field,
      invalidValue: brief(invalidValue),
      ...defined({allowedValues}),
    }),
  }),
  InvalidInput: free(400),
  InvalidJsonInput: bad<{detailedErrorMessage: string}>(
    () => 'Request body does not contain valid JSON.',
    ['detailedErrorMessage'],
  ),
  InvalidOperation: free(400),
  /** Settings of a local server: its seed pack, project key or address. */
  InvalidSetup: free(400),
  LanguageUsedInStores: fixed(
    400,
    'Language(s) in use by a store cannot be deleted. Remove them in all the stores of this project first.',
  ),
  LockedField: bad<{field: string}>(
    ({field}) => `'${field}' is locked by another request. Please try again later.`,
    ['field'],
  ),
  MatchingPriceNotFound: bad<{
    productId: string
    variantId: number
    currency: string
    country?: string
    customerGroup?: ReferenceLike
    channel?: ReferenceLike
  }>(
    ({productId, variantId, currency, country, customerGroup, channel}) => {
      const parts = [
        `currency ${currency}`,
        ...(country ? [`country ${country}`] : []),
        ...(customerGroup ? [`customer group ${customerGroup.id}`] : []),
        ...(channel ? [`channel ${channel.id}`] : []),
      ]
      return `The variant ${variantId} of product ${productId} does not contain a price for ${parts.join(', ')}.`
    },
    ['productId', 'variantId', 'currency', 'country', 'customerGroup', 'channel'],
  ),
  MaxResourceLimitExceeded: bad<{limit: number; exceededResource: string}>(
    ({limit, exceededResource}) => `You have exceeded the limit of ${limit} resources of type ${exceededResource}.`,
    ['exceededResource'],
  ),
  MissingTaxRateForCountry: bad<{taxCategoryId: string; country?: string; state?: string}>(
    ({taxCategoryId, country, state}) =>
      `Tax category ${taxCategoryId} is missing a tax rate for country ${[country ?? 'unknown', ...(state ? [state] : [])].join(' ')}.`,
    ['taxCategoryId', 'country', 'state'],
  ),
  ProjectNotConfiguredForLanguages: bad<{languages: readonly string[]}>(
    () => 'The project is not configured for given languages.',
    ['languages'],
  ),
  QueryTimedOut: free(400),
  ReferenceExists: bad<{typeId: string; referencedBy: string}>(
    ({typeId, referencedBy}) => `Can not delete a ${typeId} while it is referenced by at least one ${referencedBy}.`,
    ['referencedBy'],
  ),
  ReferencedResourceNotFound: bad<ReferenceLike & {readonly sku?: string}>(
    ({typeId, id, key, sku}) => {
      const named = id === undefined ? `with key '${key ?? ''}'` : `with identifier '${id}'`
      const predicate = sku === undefined ? named : `with a variant of the SKU '${sku}'`
      return (
        `The referenced object of type '${typeId}' ${predicate} was not found. It either doesn't exist, or it can't be ` +
        'accessed from this endpoint (e.g., if the endpoint filters by store or customer account).'
      )
    },
    ['typeId', 'id', 'key'],
  ),
  RequiredField: bad<{field: string}>(({field}) => `A value is required for field '${field}'.`, ['field']),
  ResourceSizeLimitExceeded: bad<{mostBytes: number}>(
    ({mostBytes}) => `The resource size exceeds the maximal allowed size of ${mostBytes >> 20} MB.`,
  ),
  invalid_customer_account_credentials: fixed(400, 'Customer account with the given credentials not found.'),
  invalid_grant: free(400),
  invalid_request: free(400),
  invalid_scope: bad<{held?: readonly string[]}>(({held}) =>
    held
      ? `Permissions exceeded. Only the following permissions can be requested: ${held.join(' ')}`
      : 'Malformed parameter: scope: Invalid scope.',
  ),
  unauthorized_client: free(400),
  unsupported_grant_type: free(400),
  // 401
  invalid_client: fixed(401, 'Please provide valid client credentials using HTTP Basic Authentication.'),
  invalid_token: row<{message?: string; because?: string; token?: object}>({
    status: 401,
    text: ({message}) => message ?? 'invalid_token',
  }),
  // 403
  AssociateMissingPermission: row<{
    associate: ReferenceLike
    businessUnit: ReferenceLike
    permissions: readonly string[]
    action: string
  }>({
    status: 403,
    text: ({associate, businessUnit, permissions, action}) =>
      `Associate '${associate.id}' has no rights to ${action} in business-unit '${businessUnit.key ?? businessUnit.id}'. ` +
      `Needs ${permissions.map((permission) => `'${permission}'`).join(' or ')}.`,
    shows: ['associate', 'businessUnit', 'permissions'],
  }),
  Forbidden: free(403),
  insufficient_scope: row<{missing: readonly string[]; because?: string}>({
    status: 403,
    text: ({missing}) => `Insufficient scope. One of the following scopes is missing: ${missing.join(', ')}.`,
  }),
  // 404, 405, 408, 409, 413, 414, 415, 421, 429, 431
  ResourceNotFound: row<{message: string; because?: string}>({status: 404, text: ({message}) => message}),
  MethodNotAllowed: row<{allow: readonly string[]}>({
    status: 405,
    text: ({allow}) => `This path does not support the method. Allowed: ${allow.join(', ')}.`,
  }),
  RequestTimeout: free(408),
  ConcurrentModification: row<{resourceId: string; expectedVersion: number; currentVersion: number}>({
    status: 409,
    text: ({resourceId, expectedVersion, currentVersion}) =>
      `Object ${resourceId} has a different version than expected. Expected: ${expectedVersion} - Actual: ${currentVersion}.`,
    shows: ['currentVersion'],
  }),
  SearchNotReady: fixed(
    409,
    'Customer Search is not ready. Check the indexing-status endpoint and that the feature has been activated in the project settings.',
  ),
  ContentTooLarge: free(413),
  UriTooLong: free(414),
  UnsupportedMediaType: free(415),
  TooManyRequests: row<{retryAfterSeconds: number}>({
    status: 429,
    text: () => 'You have made too many requests. Please try again later.',
  }),
  HeadersTooLarge: free(431),
  // 5xx
  General: free(500),
  BadGateway: free(502),
  ExternalOAuthFailed: {...free(502), statusIfLate: 504},
  OverCapacity: free(503),
  /** Stored data cannot be read; only the log has the place. */
  StateCorrupt: fixed(
    503,
    "A part of the stored state is damaged. On the server's machine, 'frontdesk server doctor' says which.",
  ),
  GatewayTimeout: free(504),
} as const
