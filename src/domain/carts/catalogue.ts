import * as v from 'valibot'
import {Price, Reference, reading, ShippingRate, TaxRate} from './cart.js'

/** Products, tax categories, shipping methods and zones, as far as making and recalculating carts reads them (decision 33). */

const Variant = v.looseObject({id: v.number(), prices: v.optional(v.array(Price), [])})

const Product = v.looseObject({
  id: v.string(),
  key: v.exactOptional(v.string()),
  productType: v.exactOptional(Reference),
  taxCategory: v.exactOptional(Reference),
  masterData: v.looseObject({
    current: v.looseObject({masterVariant: Variant, variants: v.optional(v.array(Variant), [])}),
  }),
})

const TaxCategory = v.looseObject({id: v.string(), rates: v.optional(v.array(TaxRate), [])})

const ShippingMethod = v.looseObject({
  id: v.string(),
  active: v.optional(v.boolean(), true),
  stores: v.optional(v.array(v.looseObject({key: v.string()})), []),
  name: v.optional(v.string(), ''),
  taxCategory: v.exactOptional(Reference),
  zoneRates: v.optional(
    v.array(
      v.looseObject({
        zone: v.looseObject({id: v.string()}),
        shippingRates: v.optional(v.array(ShippingRate), []),
      }),
    ),
    [],
  ),
})

const Zone = v.looseObject({
  id: v.string(),
  locations: v.optional(v.array(v.looseObject({country: v.string(), state: v.exactOptional(v.string())})), []),
})

export type Variant = v.InferOutput<typeof Variant>
export type Product = v.InferOutput<typeof Product>
type TaxCategory = v.InferOutput<typeof TaxCategory>
export type ShippingMethod = v.InferOutput<typeof ShippingMethod>
export type Zone = v.InferOutput<typeof Zone>

export const readProduct = reading('product', Product)
export const readTaxCategory = reading('tax category', TaxCategory)
export const readShippingMethod = reading('shipping method', ShippingMethod)
export const readZone = reading('zone', Zone)

/** The part of the catalogue that a cart refers to, by id. */
export interface Catalogue {
  /** Whether the project has products; without any, carts keep their prices and tax rates. */
  readonly hasProducts: boolean
  readonly products: ReadonlyMap<string, Product>
  readonly taxCategories: ReadonlyMap<string, TaxCategory>
}

export const variantsOf = ({masterData}: Product): readonly Variant[] => [
  masterData.current.masterVariant,
  ...masterData.current.variants,
]

export const variantOf = (product: Product, id: number): Variant | undefined =>
  variantsOf(product).find((variant) => variant.id === id)
