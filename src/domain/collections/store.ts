import type {CustomFields} from '../custom-fields.js'
import type {Reference} from '../references.js'
import type {LocalizedString} from './localized.js'
import type {Resource} from './writable.js'

/** A place that sells, with the languages, countries and channels it sells in. Source: API › Store. */
export interface Store extends Resource {
  readonly name?: LocalizedString
  readonly languages?: readonly string[]
  readonly countries?: readonly {readonly code: string}[]
  readonly distributionChannels?: readonly Reference[]
  readonly supplyChannels?: readonly Reference[]
  readonly productSelections?: readonly {readonly productSelection: Reference; readonly active: boolean}[]
  readonly custom?: CustomFields
  /** Addresses of pages by their names. */
  readonly storefront?: Readonly<Record<string, string>>
}
