import {expect} from 'chai'
import {InputError} from '../../../src/transfer/files/input-error.js'
import {type Mapping, mappingOf, overlaid} from '../../../src/transfer/mapping/mapping.js'

describe('transfer · mapping · one map over another', () => {
  it('lets what is said of a column or a target above replace what is said of it below', () => {
    const below: Mapping = {
      columns: {A: ['key', 'externalId'], B: 'firstName'},
      constants: {locale: 'de'},
      fallbacks: {'addresses.0.phone': 'Phone'},
    }
    const above: Mapping = {columns: {C: 'key', Phone: 'addresses.0.phone'}, constants: {firstName: 'x'}}
    expect(overlaid(below, above)).to.deep.equal({
      columns: {A: 'externalId', C: 'key', Phone: 'addresses.0.phone'},
      constants: {locale: 'de', firstName: 'x'},
      transforms: {},
      fallbacks: {},
    })
  })

  it('reads every section of a map file, and names the one that is wrong', () => {
    for (const text of [
      '{"fallbacks": {"key": 1}}',
      '{"records": {"A": {"target": "stores", "members": {}}}}',
      '{"continuation": ""}',
      '{"rows": {}}',
      '{"optionalColumns": "yes"}',
      '{"match": "phone"}',
    ]) {
      expect(() => mappingOf(text, 'm.json'), text).to.throw(InputError, 'm.json')
    }
    const whole = {
      fallbacks: {key: 'A'},
      continuation: 'email',
      rows: 'customer',
      optionalColumns: true,
      match: 'email',
    }
    expect(mappingOf(JSON.stringify(whole), 'm.json')).to.deep.equal(whole)
  })
})
