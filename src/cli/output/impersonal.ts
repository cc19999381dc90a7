import {addressPrivacy, attributionPrivacy, customerPrivacy, type Privacy} from '../../domain/customers/privacy.js'
import {isPersonal} from '../../domain/field.js'

/** Members that are not personal data. Every other member is masked. */

/** Members of other documents of the API and of this program's own answers. */
const others = [
  // Pages, resources and references.
  ...['limit', 'offset', 'count', 'total', 'id', 'version', 'typeId', 'sequenceNumber', 'resourceVersion', 'type'],
  ...['createdAt', 'lastModifiedAt', 'versionModifiedAt', 'anonymousCart', 'customerId', 'isPlatformClient'],
  // Quotes and carts.
  ...['quoteState', 'quoteRequestState', 'stagedQuoteState', 'validTo', 'cartState', 'origin', 'quantity', 'sku'],
  ...['productId', 'productKey', 'taxMode', 'taxRoundingMode', 'taxCalculationMode', 'priceMode', 'lineItemMode'],
  ...['inventoryMode', 'shippingMode', 'priceRoundingMode', 'addedAt', 'rate', 'amount', 'includedInPrice'],
  ...['currencyCode', 'centAmount', 'fractionDigits', 'deleteDaysAfterLastModification'],
  // Tokens and messages about them.
  ...['expiresAt', 'ttlMinutes', 'invalidateOlderTokens', 'reset', 'oldQuoteState'],
  // Errors.
  ...['statusCode', 'code', 'exitCode', 'correlationId', 'field', 'expectedVersion', 'currentVersion', 'action'],
  // Answers of the command, reports of jobs and lines of the audit.
  ...['dryRun', 'exists', 'deleted', 'erase', 'valid', 'status', 'method', 'path', 'kind', 'match', 'mode', 'phase'],
  ...['read', 'created', 'updated', 'unchanged', 'failed', 'skipped', 'unknown', 'rows', 'row', 'line', 'column'],
  ...['job', 'jobId', 'startedAt', 'endedAt', 'finishedAt', 'time', 'command', 'profile', 'project', 'projectKey'],
  ...['operator', 'result', 'hash', 'place', 'versionBefore', 'versionAfter', 'store', 'file', 'files', 'errors'],
  ...['actions', 'messages', 'unreachable', 'concurrency', 'estimatedSeconds', 'outcome', 'moreCauses'],
  ...['moreFields', 'distinct'],
  // Plans of rows, what they keep and what is taken back: names of members, groups and stores, and counts.
  ...['create', 'update', 'delete', 'restore', 'conflict', 'invalid', 'open', 'do', 'by', 'kept', 'members', 'undoOf'],
  ...['references', 'createdReferences', 'referencesLeft'],
  // The history of a customer.
  ...['what', 'sessions', 'openTokens', 'openQuotes', 'purpose', 'lockedUntil', 'ended'],
  // Proofs of erasures.
  ...['erased', 'left', 'records', 'messagesWithContent', 'quotes', 'quoteRequests', 'carts', 'oneTimeTokens'],
  ...['documents', 'notLookedAt', 'notReadable', 'notServed', 'notAnswered', 'stagedQuotes', 'businessUnits'],
  ...['orders', 'payments', 'reviews', 'shoppingLists'],
]

const declared: readonly (readonly [string, Privacy])[] = [
  ...Object.entries(customerPrivacy),
  ...Object.entries(addressPrivacy),
  ...Object.entries(attributionPrivacy),
]

const namesWhere = (isSo: (privacy: Privacy) => boolean): readonly string[] =>
  declared.filter(([, privacy]) => isSo(privacy)).map(([name]) => name)

const personal = new Set(namesWhere((privacy) => privacy !== 'parts' && isPersonal(privacy)))
const impersonal = new Set([...namesWhere((privacy) => privacy !== 'parts'), ...others])
const members = new Set([...namesWhere(() => true), ...others])

/** Whether values of a member may be shown. A name that any declaration marks as personal may not. */
export const isShown = (name: string): boolean => impersonal.has(name) && !personal.has(name)

/** Whether a text is a member path of the API rather than a value: `customerNumber`, `addresses[0].key`. */
export const isMemberName = (text: string): boolean => members.has(text.split(/[.[]/, 1)[0] ?? '')
