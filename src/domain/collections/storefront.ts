import * as v from 'valibot'
import {type AnyAction, actionOf} from '../action.js'
import {capital, defined, isObject, withMember} from '../equal.js'
import {optional, rule} from '../rules.js'
import type {Store} from './store.js'

/** Addresses of a store's pages, and the actions that set one each. Source: API › Storefront. */

const isHttps = (text: string): boolean => URL.canParse(text) && new URL(text).protocol === 'https:'

const Page = optional(v.pipe(v.string(), rule(isHttps, 'The address of a page is an absolute URL of https.')))

/** A URI template (RFC 6570) with a variable. */
const templateOf = (variable: string) =>
  optional(
    v.pipe(
      v.string(),
      rule(
        (text: string) => new RegExp(`\\{[+#./;?&]?(?:[^{}]*,)?${variable}(?:[:*,][^{}]*)?\\}`).test(text),
        `The template has the variable {${variable}}.`,
      ),
    ),
  )

const pages = {
  checkoutUrlTemplate: templateOf('checkoutId'),
  orderUrlTemplate: templateOf('orderId'),
  termsOfServiceUrl: Page,
  privacyPolicyUrl: Page,
  refundPolicyUrl: Page,
  shippingPolicyUrl: Page,
  cookiePolicyUrl: Page,
  imprintUrl: Page,
  faqUrl: Page,
  contactUrl: Page,
}

/** `v.object` alone would take a list for an object without members. The metadata is what OpenAPI says of it. */
export const Storefront = v.pipe(
  v.custom<object>(isObject, 'expected an object'),
  v.metadata({
    type: 'object',
    properties: Object.fromEntries(Object.keys(pages).map((name) => [name, {type: 'string'}])),
  }),
  v.object(pages),
)

export const storefrontPages: readonly string[] = Object.keys(pages)

export const storefrontActions: readonly AnyAction<Store>[] = Object.entries(pages).map(([member, schema]) =>
  actionOf<Store>()({
    name: `set${capital(member)}`,
    summary: `set or remove the ${member} of the storefront`,
    fields: ['storefront'],
    schema: v.object({[member]: schema}),
    messages: [`Store${capital(member)}Set`],
    apply: (store, body) => {
      const value = body[member]
      const storefront = withMember(store.storefront ?? {}, member, value)
      return {
        next: withMember(store, 'storefront', Object.keys(storefront).length === 0 ? undefined : storefront),
        messages: [{type: `Store${capital(member)}Set`, payload: defined({[member]: value})}],
      }
    },
  }),
)
