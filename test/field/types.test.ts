import {type Place, rows} from './rows.js'

const text = (name: string, type: object = {name: 'String'}) => ({
  ...{name, label: {en: name}, required: false, inputHint: 'SingleLine'},
  type,
})
const draft = (key: string, resourceTypeIds: readonly string[], fieldDefinitions: readonly object[] = []) => ({
  path: '/types',
  body: {key, name: {en: key}, resourceTypeIds, fieldDefinitions},
})
const custom = (key: string, fields: object) => ({type: {typeId: 'type', key}, fields})

rows('types', [
  {
    source: 'commercetools/commercetools-sdk-typescript, integration tests of types',
    says: 'the name of a field may have 52 characters, as in the vendor’s tests',
    request: draft('vendor', ['customer'], [text('type-field-name-5a1a3cb4-97a2-4b0c-9f0e-7c8a7a7a1f10')]),
    answer: {status: 201, body: {fieldDefinitions: [{name: /^type-field-name-/}]}},
  },
  {
    source: 'commercetools/commercetools-sdk-java-v2#273',
    says: 'a type for carts is one for orders',
    request: async ({send}) => {
      await send(draft('basket', ['order'], [text('gift')]))
      return {path: '/carts', body: {currency: 'EUR', custom: custom('basket', {gift: 'yes'})}}
    },
    answer: {status: 201, body: {custom: {fields: {gift: 'yes'}}}},
  },
  {
    source: 'labd/terraform-provider-commercetools#174',
    says: 'there is no kind of resource for carts of their own',
    request: draft('cart', ['cart']),
    answer: {
      status: 400,
      body: {errors: [{code: 'InvalidJsonInput', message: 'Request body does not contain valid JSON.'}]},
    },
  },
  {
    source: 'commercetools/commercetools-api-reference#220',
    says: 'a store has custom fields',
    request: async ({send}) => {
      await send(draft('branch', ['store'], [text('town')]))
      return {path: '/stores', body: {key: 'north', name: {en: 'North'}, custom: custom('branch', {town: 'Kiel'})}}
    },
    answer: {status: 201, body: {custom: {fields: {town: 'Kiel'}}}},
  },
  {
    source: 'commercetools/commercetools-php-sdk#360',
    says: 'a customer group has custom fields',
    request: async ({send}) => {
      await send(draft('club', ['customer-group'], [text('level')]))
      return {path: '/customer-groups', body: {groupName: 'Club', custom: custom('club', {level: 'one'})}}
    },
    answer: {status: 201, body: {custom: {fields: {level: 'one'}}}},
  },
  {
    source: 'commercetools/commercetools-jvm-sdk#593',
    says: 'the order of fields is changed by naming all of them',
    request: async ({send}) => {
      const {body} = await send(draft('ordered', ['customer'], [text('first'), text('second')]))
      const actions = [{action: 'changeFieldDefinitionOrder', fieldNames: ['second', 'first']}]
      return {path: `/types/${body.id}`, body: {version: body.version, actions}}
    },
    answer: {status: 200, body: {fieldDefinitions: [{name: 'second'}, {name: 'first'}]}},
  },
  {
    source: 'labd/commercetools-node-mock#194',
    says: 'a customer’s type is set with its fields',
    request: async ({send, customer}) => {
      await send(draft('guest', ['customer'], [text('room')]))
      const {id, version} = await customer()
      const action = {action: 'setCustomType', ...custom('guest', {room: '12'})}
      return {path: `/customers/${id}`, body: {version, actions: [action]}}
    },
    answer: {status: 200, body: {custom: {type: {typeId: 'type', id: /^[0-9a-f-]{36}$/}, fields: {room: '12'}}}},
  },
])

/** The messages of a type, after a customer signed up and was updated with these actions. */
const messages = (type: string, actions: readonly object[], members?: object) => async (place: Place) => {
  const {id, version} = await place.customer(members)
  await place.send({path: `/customers/${id}`, body: {version, actions}})
  const where = `type = "${type}" and resource(id = "${id}")`
  return {path: `/messages?${new URLSearchParams({where})}`}
}

rows('messages', [
  {
    source: 'commercetools/commercetools-jvm-sdk#1176',
    says: 'a sign-up is a message with the customer',
    request: messages('CustomerCreated', []),
    answer: {status: 200, body: {results: [{type: 'CustomerCreated', customer: {email: /@/}}]}},
  },
  {
    source: 'commercetools/commercetools-php-sdk#391',
    says: 'a change of the email is a message',
    request: messages('CustomerEmailChanged', [{action: 'changeEmail', email: 'changed@example.com'}]),
    answer: {status: 200, body: {results: [{email: 'changed@example.com', sequenceNumber: 2}]}},
  },
  {
    source: 'commercetools/commercetools-php-sdk#447',
    says: 'a message names the number of its customer',
    request: messages('CustomerCreated', [], {customerNumber: 'told-1'}),
    answer: {status: 200, body: {results: [{resourceUserProvidedIdentifiers: {customerNumber: 'told-1'}}]}},
  },
  {
    source: 'commercetools/commercetools-api-reference#211',
    says: 'a password that was reset is a message',
    request: async (place) => {
      const {id, email} = await place.customer()
      const {body} = await place.send({path: '/customers/password-token', body: {email}})
      const reset = {tokenValue: body.value, newPassword: 'a new one'}
      await place.send({path: '/customers/password/reset', body: reset})
      const where = `type = "CustomerPasswordUpdated" and resource(id = "${id}")`
      return {path: `/messages?${new URLSearchParams({where})}`}
    },
    answer: {status: 200, body: {results: [{reset: true}]}},
  },
  {
    source: 'commercetools/commercetools-jvm-sdk#2170',
    says: 'a store that is made is a message',
    request: async ({send}) => {
      const {body} = await send({path: '/stores', body: {key: 'told', name: {en: 'Told'}}})
      return {path: `/messages?${new URLSearchParams({where: `resource(id = "${body.id}")`})}`}
    },
    answer: {status: 200, body: {results: [{type: 'StoreCreated', name: {en: 'Told'}}]}},
  },
])
