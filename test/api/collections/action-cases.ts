/** One effective use of an action: what it needs before, what it says, what is there afterwards, and its messages. */
export interface Case {
  readonly draft?: object
  readonly body: object
  readonly shows: object
  /** Types of the messages, with members of their payload. */
  readonly messages?: readonly object[]
  /** Used once more it is refused, instead of changing nothing. */
  readonly onceOnly?: string
}

export const texts = {en: 'New', de: 'Neu'}
const channel = (id: string) => ({typeId: 'channel', id})
const selection = (id: string, active: boolean) => ({productSelection: {typeId: 'product-selection', id}, active})
export const custom = (fields: object) => ({type: {key: 'fields'}, fields})

/** The type that custom fields of the cases are of. */
export const fieldsType = {
  key: 'fields',
  name: {en: 'Fields'},
  resourceTypeIds: ['customer-group', 'store'],
  fieldDefinitions: [{name: 'note', label: {en: 'Note'}, type: {name: 'String'}, required: false}],
}

const groups: Record<string, Case> = {
  changeName: {body: {name: 'VIP'}, shows: {name: 'VIP'}},
  setKey: {body: {key: 'vip'}, shows: {key: 'vip'}},
  setCustomType: {
    body: custom({note: 'a'}),
    shows: {'custom.fields.note': 'a'},
    messages: [{type: 'CustomerGroupCustomTypeSet'}],
  },
  setCustomField: {
    draft: {custom: custom({note: 'a'})},
    body: {name: 'note', value: 'b'},
    shows: {'custom.fields.note': 'b'},
    messages: [{type: 'CustomerGroupCustomFieldChanged', name: 'note', value: 'b', oldValue: 'a'}],
  },
}

/** An address of the storefront: the message repeats it. */
const page = (member: string, url = 'https://shop.example/page'): Case => ({
  body: {[member]: url},
  shows: {[`storefront.${member}`]: url},
  messages: [{type: `Store${member.charAt(0).toUpperCase()}${member.slice(1)}Set`, [member]: url}],
})

const stores: Record<string, Case> = {
  setName: {body: {name: texts}, shows: {name: texts}, messages: [{type: 'StoreNameSet', name: texts}]},
  setCheckoutUrlTemplate: page('checkoutUrlTemplate', 'https://shop.example/checkout/{checkoutId}'),
  setOrderUrlTemplate: page('orderUrlTemplate', 'https://shop.example/orders{?shop,orderId}'),
  setTermsOfServiceUrl: page('termsOfServiceUrl'),
  setPrivacyPolicyUrl: page('privacyPolicyUrl'),
  setRefundPolicyUrl: page('refundPolicyUrl'),
  setShippingPolicyUrl: page('shippingPolicyUrl'),
  setCookiePolicyUrl: page('cookiePolicyUrl'),
  setImprintUrl: page('imprintUrl'),
  setFaqUrl: page('faqUrl'),
  setContactUrl: page('contactUrl'),
  setLanguages: {
    draft: {languages: ['de', 'en']},
    body: {languages: ['en', 'fr']},
    shows: {languages: ['en', 'fr']},
    messages: [{type: 'StoreLanguagesChanged', addedLanguages: ['fr'], removedLanguages: ['de']}],
  },
  setCountries: {
    draft: {countries: [{code: 'DE'}]},
    body: {countries: [{code: 'AT'}, {code: 'AT'}]},
    shows: {countries: [{code: 'AT'}]},
    messages: [{type: 'StoreCountriesChanged', addedCountries: [{code: 'AT'}], removedCountries: [{code: 'DE'}]}],
  },
  addCountry: {
    draft: {countries: [{code: 'DE'}]},
    body: {country: {code: 'AT'}},
    shows: {countries: [{code: 'DE'}, {code: 'AT'}]},
    messages: [{type: 'StoreCountriesChanged', addedCountries: [{code: 'AT'}], removedCountries: []}],
  },
  removeCountry: {
    draft: {countries: [{code: 'DE'}, {code: 'AT'}]},
    body: {country: {code: 'DE'}},
    shows: {countries: [{code: 'AT'}]},
    messages: [{type: 'StoreCountriesChanged', addedCountries: [], removedCountries: [{code: 'DE'}]}],
  },
  ...channelCases('distributionChannels', 'distributionChannel'),
  ...channelCases('supplyChannels', 'supplyChannel'),
  setProductSelections: {
    draft: {productSelections: [selection('a', true), selection('b', true)]},
    body: {productSelections: [{productSelection: {id: 'b'}}, selection('c', true)]},
    shows: {productSelections: [selection('b', false), selection('c', true)]},
    messages: [
      {
        type: 'StoreProductSelectionsChanged',
        addedProductSelections: [selection('c', true)],
        removedProductSelections: [selection('a', true)],
        updatedProductSelections: [selection('b', false)],
      },
    ],
  },
  addProductSelection: {
    body: selection('a', true),
    shows: {productSelections: [selection('a', true)]},
    messages: [{type: 'StoreProductSelectionsChanged', addedProductSelections: [selection('a', true)]}],
  },
  removeProductSelection: {
    draft: {productSelections: [selection('a', true)]},
    body: {productSelection: {id: 'a'}},
    shows: {productSelections: []},
    messages: [{type: 'StoreProductSelectionsChanged', removedProductSelections: [selection('a', true)]}],
  },
  changeProductSelectionActive: {
    draft: {productSelections: [selection('a', true)]},
    body: {productSelection: {id: 'a'}, active: false},
    shows: {productSelections: [selection('a', false)]},
    messages: [{type: 'StoreProductSelectionsChanged', updatedProductSelections: [selection('a', false)]}],
  },
  setCustomType: {body: custom({note: 'a'}), shows: {'custom.fields.note': 'a'}},
  setCustomField: {
    draft: {custom: custom({note: 'a'})},
    body: {name: 'note', value: 'b'},
    shows: {'custom.fields.note': 'b'},
  },
}

function channelCases(many: string, one: string): Record<string, Case> {
  const capital = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`
  const [added, removed] = [`added${capital(many)}`, `removed${capital(many)}`]
  const type = `Store${capital(many)}Changed`
  return {
    [`set${capital(many)}`]: {
      draft: {[many]: [{id: 'a'}]},
      body: {[many]: [{id: 'b'}]},
      shows: {[many]: [channel('b')]},
      messages: [{type, [added]: [channel('b')], [removed]: [channel('a')]}],
    },
    [`add${capital(one)}`]: {
      body: {[one]: {typeId: 'channel', id: 'a'}},
      shows: {[many]: [channel('a')]},
      messages: [{type, [added]: [channel('a')]}],
    },
    [`remove${capital(one)}`]: {
      draft: {[many]: [{id: 'a'}, {id: 'b'}]},
      body: {[one]: {id: 'a'}},
      shows: {[many]: [channel('b')]},
      messages: [{type, [removed]: [channel('a')]}],
    },
  }
}

const label = (text: string) => ({en: text})
export const field = (name: string, type: object = {name: 'String'}) => ({
  name,
  label: label(name),
  type,
  required: false,
})
const stored = (name: string, type?: object) => ({...field(name, type), required: false, inputHint: 'SingleLine'})
export const value = (key: string, text: unknown = key) => ({key, label: text})
export const colours = (...values: readonly object[]) => ({name: 'Enum', values})
const sizes = (...values: readonly object[]) => ({name: 'Set', elementType: {name: 'LocalizedEnum', values}})
export const inType = (...fieldDefinitions: readonly object[]) => ({fieldDefinitions})

const types: Record<string, Case> = {
  changeKey: {body: {key: 'moved'}, shows: {key: 'moved'}},
  changeName: {body: {name: texts}, shows: {name: texts}},
  setDescription: {body: {description: texts}, shows: {description: texts}},
  addFieldDefinition: {
    body: {fieldDefinition: field('note')},
    shows: {fieldDefinitions: [stored('note')]},
    onceOnly: 'DuplicateField',
  },
  removeFieldDefinition: {
    draft: inType(field('note'), field('other')),
    body: {fieldName: 'note'},
    shows: {fieldDefinitions: [stored('other')]},
    onceOnly: 'InvalidOperation',
  },
  changeFieldDefinitionOrder: {
    draft: inType(field('one'), field('two')),
    body: {fieldNames: ['two', 'one']},
    shows: {fieldDefinitions: [stored('two'), stored('one')]},
  },
  changeLabel: {
    draft: inType(field('note')),
    body: {fieldName: 'note', label: texts},
    shows: {'fieldDefinitions[0].label': texts},
  },
  changeInputHint: {
    draft: inType(field('note')),
    body: {fieldName: 'note', inputHint: 'MultiLine'},
    shows: {'fieldDefinitions[0].inputHint': 'MultiLine'},
  },
  addEnumValue: {
    draft: inType(field('colour', colours(value('red')))),
    body: {fieldName: 'colour', value: value('b')},
    shows: {'fieldDefinitions[0].type': colours(value('red'), value('b'))},
    onceOnly: 'EnumKeyAlreadyExists',
  },
  changeEnumValueLabel: {
    draft: inType(field('colour', colours(value('red')))),
    body: {fieldName: 'colour', value: value('red', 'Rot')},
    shows: {'fieldDefinitions[0].type': colours(value('red', 'Rot'))},
  },
  changeEnumValueOrder: {
    draft: inType(field('colour', colours(value('red'), value('b')))),
    body: {fieldName: 'colour', keys: ['b', 'red']},
    shows: {'fieldDefinitions[0].type': colours(value('b'), value('red'))},
  },
  addLocalizedEnumValue: {
    draft: inType(field('size', sizes(value('s1', texts)))),
    body: {fieldName: 'size', value: value('m1', texts)},
    shows: {'fieldDefinitions[0].type': sizes(value('s1', texts), value('m1', texts))},
    onceOnly: 'EnumKeyAlreadyExists',
  },
  changeLocalizedEnumValueLabel: {
    draft: inType(field('size', sizes(value('s1', {en: 'Small'})))),
    body: {fieldName: 'size', value: value('s1', texts)},
    shows: {'fieldDefinitions[0].type': sizes(value('s1', texts))},
  },
  changeLocalizedEnumValueOrder: {
    draft: inType(field('size', sizes(value('s1', texts), value('m1', texts)))),
    body: {fieldName: 'size', keys: ['m1', 's1']},
    shows: {'fieldDefinitions[0].type': sizes(value('m1', texts), value('s1', texts))},
  },
}

/** The cases of each collection by action. */
export const casesOf: Readonly<Record<string, Readonly<Record<string, Case>>>> = {
  'customer-groups': groups,
  stores,
  types,
}
