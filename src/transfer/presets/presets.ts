import {bigcommerce} from './bigcommerce.js'
import {magento2} from './magento2.js'
import {opencart} from './opencart.js'
import type {Preset} from './preset.js'
import {type PresetName, presetNames} from './preset-names.js'
import {prestashop} from './prestashop.js'
import {salesforce} from './salesforce.js'
import {shopify} from './shopify.js'
import {shopware6} from './shopware6.js'
import {sylius} from './sylius.js'
import {woocommerce, woocommerceRest} from './woocommerce.js'

/** Every preset by its name. */
export const presets: Readonly<Record<PresetName, Preset>> = {
  shopify,
  magento2,
  woocommerce,
  'woocommerce-rest': woocommerceRest,
  shopware6,
  bigcommerce,
  salesforce,
  prestashop,
  opencart,
  sylius,
}

/** The shop whose export has such columns, if only one does. */
export function presetByColumns(columns: readonly string[]): PresetName | undefined {
  const there = new Set(columns)
  const [first, ...others] = presetNames.filter((name) =>
    presets[name].header.some((list) => list.every((column) => there.has(column))),
  )
  return others.length === 0 ? first : undefined
}

/** The XML that belongs to a preset is told by its namespace. */
const namespaces: Readonly<Record<string, PresetName>> = {'www.demandware.com/xml/impex/customer/': 'salesforce'}

/** The shop whose export begins like this, if it is XML of one. */
export const presetByXml = (head: string): PresetName | undefined =>
  Object.entries(namespaces).find(([namespace]) => head.includes(namespace))?.[1]
