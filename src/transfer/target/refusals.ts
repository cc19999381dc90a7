import type {Facts, ReferencedResource} from '../../domain/action.js'
import {hashProblem} from '../../domain/credentials/password-hash.js'
import {type CustomFieldsDraft, customFieldsOf, customReferencesOf} from '../../domain/custom-fields.js'
import {projectLocale} from '../../domain/customers/resolved.js'
import {defined} from '../../domain/equal.js'
import {ApiError} from '../../domain/errors.js'
import type {WantedReference} from '../../domain/references.js'
import type {Issue} from '../input/row.js'
import {hasCustom, type RowDraft} from '../input/row-draft.js'
import {textsByType} from '../mapping/custom-texts.js'
import type {ReferenceLookUp} from './target-references.js'

/** What the target would refuse of a row, found by the rules that it uses itself. */

interface Holder {
  readonly custom: CustomFieldsDraft
  readonly resource: 'customer' | 'address'
  readonly path: string
}

const isGiven = <T>(value: T | null | undefined): value is T => value !== null && value !== undefined

function holdersOf({custom, addresses}: RowDraft): Holder[] {
  const all = [
    {given: custom, resource: 'customer', path: 'custom'} as const,
    ...(addresses ?? []).map((address, at) => {
      return {given: address.custom, resource: 'address', path: `addresses.${at}.custom`} as const
    }),
  ]
  return all.flatMap(({given, ...holder}) =>
    isGiven(given)
      ? [{...holder, custom: defined({...given, fields: given.fields ?? undefined}) as CustomFieldsDraft}]
      : [],
  )
}

type Named = WantedReference & {readonly path: string}

/** A reference and where it stands in the row: in a table, its key and its id have columns of their own. */
const named = (typeId: string, reference: object, path: string): Named =>
  ({...reference, typeId, path: `${path}.${'id' in reference ? 'id' : 'key'}`}) as Named

function plainReferencesOf({customerGroup, customerGroupAssignments, stores}: RowDraft): Named[] {
  const found: Named[] = []
  if (isGiven(customerGroup)) found.push(named('customer-group', customerGroup, 'customerGroup'))
  for (const [at, one] of customerGroupAssignments?.entries() ?? []) {
    found.push(named('customer-group', one.customerGroup, `customerGroupAssignments.${at}.customerGroup`))
  }
  for (const [at, store] of stores?.entries() ?? []) found.push(named('store', store, `stores.${at}`))
  return found
}

/** What a row refers to, to be looked up for many rows at once. */
export function referencesOfRow(draft: RowDraft): readonly WantedReference[] {
  const wanted: WantedReference[] = plainReferencesOf(draft)
  if (hasCustom(draft)) for (const {custom} of holdersOf(draft)) wanted.push(...customReferencesOf(custom))
  return wanted
}

export const typesOfRow = (draft: RowDraft): readonly WantedReference[] =>
  holdersOf(draft).map(({custom}) => ({...custom.type, typeId: 'type'}) as WantedReference)

export const hasValues = (draft: RowDraft): boolean =>
  hasCustom(draft) &&
  holdersOf(draft).some(({custom: {fields = {}}}) => Object.values(fields).some((value) => typeof value !== 'string'))

/** Gives custom fields of a row the texts that their types want, where these are known. */
export function giveTexts(draft: RowDraft, found: ReferenceLookUp['found']): void {
  for (const {custom} of hasCustom(draft) ? holdersOf(draft) : []) {
    const known = found.find({...custom.type, typeId: 'type'} as WantedReference)
    if (known && custom.fields) textsByType(custom.fields as Record<string, unknown>, known as object)
  }
}

export interface RefusalOptions {
  readonly looked: ReferenceLookUp
  /** The languages of the project, if they are known. */
  readonly languages: readonly string[] | undefined
  /** Whether the row creates a customer, if that is known: some members are needed then only, or matter then only. */
  readonly isNew: boolean | undefined
  /** Whether the hash of the row is sent. */
  readonly sendsHash: boolean
  /** The store of the path, which new customers must belong to. */
  readonly storeKey: string | undefined
  readonly columnOf: (path: string) => string
}

export function refusalOf(draft: RowDraft, options: RefusalOptions): Issue | undefined {
  const {columnOf} = options
  const checks = [checkReferences, checkStore, checkCustomFields, checkLocale, checkHash]
  for (const check of checks) {
    try {
      check(draft, options)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      const {code, message, path} = error
      const isMissing = code === 'ReferencedResourceNotFound'
      const fix = isMissing ? 'Create it in the project first, or correct the column.' : undefined
      return {column: columnOf(path), code, message, ...defined({fix})}
    }
  }
  return undefined
}

class Refused extends Error {
  readonly code: string
  readonly path: string

  constructor({code, message}: {readonly code: string; readonly message: string}, path: string) {
    super(message)
    this.code = code
    this.path = path
  }
}

/** Runs a rule of the domain; its error is about a member of the row. */
function at<T>(path: string, rule: () => T): T {
  try {
    return rule()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw new Refused(error, path)
  }
}

function checkReferences(draft: RowDraft, {looked}: RefusalOptions): void {
  for (const {path, ...reference} of plainReferencesOf(draft)) {
    if (!looked.isUnchecked(reference)) at(path, () => looked.found.resolve(reference))
  }
}

function checkStore({stores}: RowDraft, {storeKey, isNew, looked}: RefusalOptions): void {
  if (isNew !== true || storeKey === undefined || !stores) return
  const keys = stores.map(
    (store) => store.key ?? looked.found.find({...store, typeId: 'store'} as WantedReference)?.key,
  )
  if (keys.includes(storeKey) || keys.includes(undefined)) return
  const message = `The stores of the customer lack the store '${storeKey}' of the path.`
  throw new Refused({code: 'InvalidOperation', message}, 'stores')
}

function checkCustomFields(draft: RowDraft, {looked, isNew}: RefusalOptions): void {
  for (const {custom, resource, path} of holdersOf(draft)) {
    const type = {...custom.type, typeId: 'type'} as WantedReference
    if (looked.isUnchecked(type)) continue
    at(named('type', custom.type, `${path}.type`).path, () => looked.found.resolve(type))
    const resolve = (reference: WantedReference): ReferencedResource =>
      looked.isUnchecked(reference) ? {id: reference.id ?? ''} : looked.found.resolve(reference)
    // The rules for custom fields read no other fact.
    const facts = {resolve} as unknown as Facts
    try {
      customFieldsOf(custom, resource, facts)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      // A customer who exists may have the field already.
      if (error.is('RequiredField') && isNew !== true) continue
      throw new Refused(error, error.is('InvalidField') ? `${path}.fields.${String(error.errors[0]['field'])}` : path)
    }
  }
}

function checkLocale({locale}: RowDraft, {languages}: RefusalOptions): void {
  if (languages !== undefined && typeof locale === 'string') at('locale', () => projectLocale(locale, languages))
}

function checkHash({passwordHash}: RowDraft, {isNew, sendsHash}: RefusalOptions): void {
  if (isNew === false || !sendsHash || typeof passwordHash !== 'string' || passwordHash === '') return
  const message = hashProblem(passwordHash)
  if (message !== undefined) throw new Refused({code: 'InvalidField', message}, 'passwordHash')
}
