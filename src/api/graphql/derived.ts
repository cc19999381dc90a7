import {cartDefaults} from '../../domain/carts/cart.js'

/** Fields of GraphQL that are made of what a document has. Source: API › GraphQL. */

type Args = Readonly<Record<string, unknown>>
type Members = Readonly<Record<string, unknown>>
type Derived = (source: Members, args: Args) => unknown

const addressCalled = ({addresses = []}: Members, id: unknown): unknown =>
  (addresses as {id?: string}[]).find((address) => address.id === id)

function addressesCalled({addresses = []}: Members, ids: unknown): unknown[] {
  const byId = new Map((addresses as {id?: string}[]).map((address) => [address.id, address]))
  return ((ids ?? []) as string[]).flatMap((id) => byId.get(id) ?? [])
}

/** The text of a language: the one asked for, else the first accepted one that there is. */
const textIn =
  (member: string): Derived =>
  (source, {locale, acceptLanguage}) => {
    const texts = (source[member] ?? {}) as Readonly<Record<string, string>>
    const found = [locale, ...((acceptLanguage ?? []) as unknown[])].find(
      (tag) => typeof tag === 'string' && Object.hasOwn(texts, tag),
    )
    return found === undefined ? null : texts[String(found)]
  }

const allTexts =
  (member: string): Derived =>
  (source) =>
    source[member] && Object.entries(source[member]).map(([locale, value]: [string, unknown]) => ({locale, value}))

function namedBy<T extends {readonly name: string}>(elements: readonly T[], {includeNames, excludeNames}: Args): T[] {
  const [some, none] = [includeNames, excludeNames].map((names) =>
    Array.isArray(names) ? new Set<unknown>(names) : undefined,
  )
  return elements.filter(({name}) => (some?.has(name) ?? true) && !none?.has(name))
}

/** Texts by language: of which type, the field that shows one, and the member. */
const localized = [
  ['Store', 'name'],
  ['TypeDefinition', 'name'],
  ['TypeDefinition', 'description'],
  ['FieldDefinition', 'label'],
  ['LineItem', 'name'],
  ['LineItem', 'productSlug'],
  ['CustomLineItem', 'name'],
  ['ShippingMethod', 'localizedName'],
] as const

const lineById: Derived = ({lineItems = []}, {id}) =>
  (lineItems as {id: string}[]).filter((line) => typeof id !== 'string' || line.id === id)

/** Fields that a document has under another name or in another form, by type and name. */
export const derived: Readonly<Record<string, Derived>> = {
  'Customer.defaultShippingAddress': (source) => addressCalled(source, source['defaultShippingAddressId']),
  'Customer.defaultBillingAddress': (source) => addressCalled(source, source['defaultBillingAddressId']),
  'Customer.shippingAddresses': (source) => addressesCalled(source, source['shippingAddressIds']),
  'Customer.billingAddresses': (source) => addressesCalled(source, source['billingAddressIds']),
  'CustomFieldsType.customFieldsRaw': ({fields}, args) =>
    namedBy(
      Object.entries((fields ?? {}) as object).map(([name, value]: [string, unknown]) => ({name, value})),
      args,
    ),
  'TypeDefinition.fieldDefinitions': ({fieldDefinitions}, args) =>
    namedBy((fieldDefinitions ?? []) as {name: string}[], args),
  // Tokens never change.
  'CustomerPasswordToken.version': () => 1,
  'CustomerEmailToken.version': () => 1,
  'Cart.customer': ({customerId}) => customerId && {typeId: 'customer', id: customerId},
  'Cart.lineItems': lineById,
  'Quote.lineItems': lineById,
  'Cart.refusedGiftsRefs': ({refusedGifts}) => refusedGifts ?? [],
  'PaymentInfo.paymentRefs': ({payments}) => payments ?? [],
  'ProductVariant.attributesRaw': ({attributes}, args) => namedBy((attributes ?? []) as {name: string}[], args),
  'Dimensions.width': ({w}) => w,
  'Dimensions.height': ({h}) => h,
  'ShippingInfo.shippingMethodState': ({shippingMethodState}) => shippingMethodState ?? 'MatchesCart',
  'ShippingMethod.active': ({active}) => active ?? true,
  'ShippingMethod.isDefault': ({isDefault}) => isDefault ?? false,
  'CustomLineItem.priceMode': ({priceMode}) => priceMode ?? 'Standard',
  'Quote.inventoryMode': ({inventoryMode}) => inventoryMode ?? 'None',
  ...Object.fromEntries(
    Object.entries(cartDefaults).map(([name, value]): [string, Derived] => [
      `Cart.${name}`,
      (source) => source[name] ?? value,
    ]),
  ),
  ...Object.fromEntries(
    localized.flatMap(([type, member]): [string, Derived][] => [
      [`${type}.${member}`, textIn(member)],
      [`${type}.${member}AllLocales`, allTexts(member)],
    ]),
  ),
}

/** The member that a field shows: of its name, or what `Ref` refers to. */
export function memberOf(source: Members, name: string): unknown {
  if (Object.hasOwn(source, name)) return source[name]
  const referring = name.slice(0, -'Ref'.length)
  return name.endsWith('Ref') && Object.hasOwn(source, referring) ? source[referring] : undefined
}
