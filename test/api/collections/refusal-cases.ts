import type {Body} from '../harness.js'
import {colours, custom, field, inType, texts, value} from './action-cases.js'

/** An action and what it is refused with. */
export interface Refusal {
  readonly draft?: object
  readonly action: string
  readonly body: object
  readonly code: string
  readonly says?: Body
}

const enumDraft = inType(field('colour', colours(value('red'))), field('note'))

export const refusalsOf: Readonly<Record<string, readonly Refusal[]>> = {
  'customer-groups': [
    {action: 'changeName', body: {}, code: 'InvalidJsonInput'},
    {action: 'changeName', body: {name: null}, code: 'InvalidJsonInput'},
    {action: 'setKey', body: {key: 'ä'}, code: 'InvalidField'},
    {action: 'setCustomField', body: {name: 'note', value: 1}, code: 'InvalidOperation'},
    {action: 'setCustomType', body: {type: {key: 'nowhere'}}, code: 'ReferencedResourceNotFound'},
    {action: 'setCustomType', body: custom({note: 5}), code: 'InvalidField'},
    {action: 'setCustomType', body: custom({unknown: 5}), code: 'InvalidField'},
  ],
  stores: [
    {action: 'setName', body: {name: 'plain text'}, code: 'InvalidJsonInput'},
    {action: 'setName', body: {name: {'not a language': 'x'}}, code: 'InvalidField'},
    {action: 'setName', body: {name: {en: 5}}, code: 'InvalidJsonInput'},
    {action: 'setCountries', body: {countries: ['DE']}, code: 'InvalidJsonInput'},
    {action: 'setCountries', body: {countries: [{code: 'Germany'}]}, code: 'InvalidField'},
    {action: 'addCountry', body: {}, code: 'InvalidJsonInput'},
    {action: 'setLanguages', body: {languages: ['x']}, code: 'InvalidField'},
    {
      action: 'setLanguages',
      body: {languages: ['sv']},
      code: 'ProjectNotConfiguredForLanguages',
      says: {languages: ['sv']},
    },
    {action: 'addSupplyChannel', body: {supplyChannel: {key: 'c'}}, code: 'ReferencedResourceNotFound'},
    {action: 'setImprintUrl', body: {imprintUrl: 'http://shop.example'}, code: 'InvalidField'},
    {action: 'setFaqUrl', body: {faqUrl: '/faq'}, code: 'InvalidField'},
    {action: 'setOrderUrlTemplate', body: {orderUrlTemplate: 'https://shop.example/{id}'}, code: 'InvalidField'},
    {action: 'setOrderUrlTemplate', body: {orderUrlTemplate: 'https://x.example/{orderIds}'}, code: 'InvalidField'},
    {action: 'addSupplyChannel', body: {supplyChannel: {typeId: 'store', id: 'c'}}, code: 'InvalidJsonInput'},
    {action: 'changeProductSelectionActive', body: {productSelection: {id: 'a'}}, code: 'InvalidOperation'},
    {action: 'setKey', body: {key: 'other'}, code: 'InvalidJsonInput'},
  ],
  types: [
    {action: 'changeKey', body: {}, code: 'InvalidJsonInput'},
    {action: 'addFieldDefinition', body: {fieldDefinition: field('x')}, code: 'InvalidField'},
    {
      action: 'addFieldDefinition',
      body: {fieldDefinition: {...field('note'), required: null}},
      code: 'InvalidJsonInput',
    },
    {action: 'addFieldDefinition', body: {fieldDefinition: field('x'.repeat(257))}, code: 'InvalidField'},
    {action: 'addFieldDefinition', body: {fieldDefinition: field('__proto__')}, code: 'InvalidField'},
    {
      action: 'addFieldDefinition',
      body: {fieldDefinition: {...field('note'), label: 'Note'}},
      code: 'InvalidJsonInput',
    },
    {action: 'addFieldDefinition', body: {fieldDefinition: field('note', {name: 'Text'})}, code: 'InvalidJsonInput'},
    {action: 'addFieldDefinition', body: {fieldDefinition: field('note', {name: 'Set'})}, code: 'InvalidJsonInput'},
    {action: 'addFieldDefinition', body: {fieldDefinition: field('note', {name: 'Enum'})}, code: 'InvalidJsonInput'},
    {
      action: 'addFieldDefinition',
      body: {fieldDefinition: field('note', {name: 'Reference', referenceTypeId: 'planet'})},
      code: 'InvalidJsonInput',
    },
    {
      action: 'addFieldDefinition',
      body: {fieldDefinition: field('note', colours(value('red'), value('red')))},
      code: 'DuplicateEnumValues',
      says: {duplicates: ['red']},
    },
    {action: 'changeLabel', body: {fieldName: 'none', label: texts}, code: 'InvalidOperation'},
    {draft: enumDraft, action: 'changeFieldDefinitionOrder', body: {fieldNames: ['note']}, code: 'InvalidOperation'},
    {
      draft: enumDraft,
      action: 'changeFieldDefinitionOrder',
      body: {fieldNames: ['note', 'note']},
      code: 'InvalidOperation',
    },
    {draft: enumDraft, action: 'addEnumValue', body: {fieldName: 'note', value: value('v1')}, code: 'InvalidOperation'},
    {
      draft: enumDraft,
      action: 'addLocalizedEnumValue',
      body: {fieldName: 'colour', value: value('v1', texts)},
      code: 'InvalidOperation',
    },
    {
      draft: enumDraft,
      action: 'changeEnumValueLabel',
      body: {fieldName: 'colour', value: value('pink')},
      code: 'EnumKeyDoesNotExist',
      says: {conflictingEnumKey: 'pink', conflictingAttributeName: 'colour'},
    },
    {
      draft: enumDraft,
      action: 'changeEnumValueOrder',
      body: {fieldName: 'colour', keys: ['red', 'red']},
      code: 'EnumValuesMustMatch',
    },
    {
      draft: enumDraft,
      action: 'changeInputHint',
      body: {fieldName: 'note', inputHint: 'Huge'},
      code: 'InvalidJsonInput',
    },
  ],
}
