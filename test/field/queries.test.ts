import {rows} from './rows.js'

const customers = (query: Readonly<Record<string, string>>) => ({path: `/customers?${new URLSearchParams(query)}`})
const visits = (condition: string) => customers({where: `custom(fields(lastVisit ${condition}))`})
const malformed = (parameter: string, message = /./) => ({
  status: 400,
  body: {
    errors: [
      {code: 'InvalidInput', message: new RegExp(`^Malformed parameter: ${parameter}: .*${message.source}`, 's')},
    ],
  },
})
const found = (count: number) => ({status: 200, body: {count, total: count}})
const keys = Array.from({length: 420}, (_, at) => `"a-key-of-a-customer-${String(at).padStart(5, '0')}"`)

rows(
  'queries',
  [
    {
      source: 'commercetools/commercetools-jvm-sdk#876',
      says: 'a moment is found by its own text without a fraction',
      request: visits('= "2026-10-30T10:05:00Z"'),
      answer: found(1),
    },
    {
      source: 'commercetools/commercetools-jvm-sdk#743',
      says: 'a moment with an offset is compared as a moment',
      request: visits('< "2026-10-30T11:00:00+02:00"'),
      answer: found(0),
    },
    {
      source: 'commercetools/commercetools-jvm-sdk#743',
      says: 'the same moment in another zone is equal',
      request: visits('>= "2026-10-30T12:05:00+02:00"'),
      answer: found(1),
    },
    {
      source: 'commercetools/commercetools-sdk-typescript#513',
      says: 'a parameter that is given twice alike counts once, as the vendor’s clients page',
      request: {path: '/customers?sort=id+asc&withTotal=false&limit=7&withTotal=false'},
      answer: {status: 200, body: {limit: 7, count: 1, total: undefined}},
    },
    {
      source: 'commercetools/commercetools-sync-java#688',
      says: 'a predicate with 420 keys is answered',
      request: customers({where: `key in (${keys.join(', ')}, "ada")`}),
      answer: found(1),
    },
    {
      source: 'commercetools/commercetools-jvm-sdk#289',
      says: 'a customer is found by the email',
      request: customers({where: 'email = "ada@example.com"'}),
      answer: {status: 200, body: {results: [{email: 'ada@example.com', key: 'ada'}]}},
    },
    {
      source: 'commercetools/commercetools-jvm-sdk#1273',
      says: 'a customer is found by the number',
      request: customers({where: 'customerNumber = "1001"'}),
      answer: found(1),
    },
    {
      source: 'commercetools/commercetools-dotnet-core-sdk#138',
      says: 'an email is compared with its case',
      request: customers({where: 'email = "ADA@example.com"'}),
      answer: found(0),
    },
    {
      source: 'commercetools/commercetools-dotnet-core-sdk#138',
      says: 'and in lower case by a field of its own',
      request: customers({where: 'lowercaseEmail = "ada@example.com"'}),
      answer: found(1),
    },
    {
      source: 'commercetools/commercetools-dotnet-core-sdk#138',
      says: 'a text without quotes is no value',
      request: customers({where: 'lowercaseEmail = ada@example.com'}),
      answer: malformed('where'),
    },
    {
      source: 'commercetools/commercetools-php-sdk#385',
      says: 'a predicate with a field that does not exist names it',
      request: customers({where: 'email = "a" and limit = 5'}),
      answer: malformed('where', /The field 'limit' does not exist\.$/),
    },
    {
      source: 'commercetools/sphere-node-product-csv-sync#164',
      says: 'a quote within a text is written with a backslash',
      request: customers({where: 'lastName = "O\\"Hara"'}),
      answer: found(1),
    },
    {
      source: 'commercetools/commercetools-jvm-sdk#183',
      says: 'a name with a hyphen is no name of a field',
      request: {path: `/stores?${new URLSearchParams({where: 'name(en-US = "Berlin")'})}`},
      answer: malformed('where'),
    },
    {
      source: 'commercetools/commercetools-jvm-sdk#183',
      says: 'but for within backquotes',
      request: {path: `/stores?${new URLSearchParams({where: 'name(`en-US` = "Berlin")'})}`},
      answer: found(1),
    },
    {
      source: 'commercetools/commercetools-jvm-sdk#16',
      says: 'a predicate is negated',
      request: customers({where: 'not (key = "ada")'}),
      answer: found(0),
    },
    {
      source: 'commercetools/commercetools-jvm-sdk#1652',
      says: 'an offset beyond the last that is served is refused with the range',
      request: customers({offset: '100001'}),
      answer: malformed('offset', /The offset parameter must be in the range of \[0\.\.\d+\]$/),
    },
    {
      source: 'commercetools/nodejs#1657',
      says: 'the last offset is 10,000',
      request: customers({offset: '10001'}),
      answer: malformed('offset'),
    },
    {
      source: 'commercetools/commercetools-jvm-sdk#479',
      says: 'pages go on behind the last id',
      request: customers({where: 'id > "00000000-0000-0000-0000-000000000000"', sort: 'id asc', limit: '100'}),
      answer: {status: 200, body: {limit: 100, offset: 0, count: 1}},
    },
    {
      source: 'commercetools/commercetools-jvm-sdk#743',
      says: 'the moment of creation is compared as a moment, in whatever zone it is written',
      request: async ({send}) => {
        const {body} = await send(customers({}))
        const ms = Date.parse(body.results[0].createdAt)
        const elsewhere = `${new Date(ms + 7_200_000).toISOString().slice(0, -1)}+02:00`
        return customers({where: `createdAt = "${elsewhere}"`})
      },
      answer: found(1),
    },
    {
      source: 'commercetools/commercetools-jvm-sdk#318',
      says: 'the group of a customer is expanded',
      request: {path: '/customers/key=ada?expand=customerGroup'},
      answer: {status: 200, body: {customerGroup: {typeId: 'customer-group', obj: {name: 'VIP'}}}},
    },
    {
      source: 'commercetools/commercetools-ios-sdk#108',
      says: 'a reference in a custom field is expanded',
      request: customers({expand: 'custom.fields.friend'}),
      answer: {
        status: 200,
        body: {results: [{custom: {fields: {friend: {obj: {groupName: undefined, name: 'VIP'}}}}}]},
      },
    },
    {
      source: 'commercetools/commercetools-sdk-php-v2#100',
      says: 'a path that leads to nothing is no error',
      request: {path: '/customers/key=ada?expand=PaymentInfo'},
      answer: {status: 200, body: {key: 'ada'}},
    },
  ],
  async ({send, customer}) => {
    const lastVisit = {...{name: 'lastVisit', label: {en: 'Visit'}, required: false}, type: {name: 'DateTime'}}
    const ofGroup = {name: 'Reference', referenceTypeId: 'customer-group'}
    const friend = {...{name: 'friend', label: {en: 'Friend'}, required: false}, type: ofGroup}
    const type = {
      key: 'guest',
      name: {en: 'Guest'},
      resourceTypeIds: ['customer'],
      fieldDefinitions: [lastVisit, friend],
    }
    await send({path: '/types', body: type})
    await send({path: '/stores', body: {key: 'berlin', name: {'en-US': 'Berlin'}}})
    const {body: group} = await send({path: '/customer-groups', body: {key: 'vip', groupName: 'VIP'}})
    const customerGroup = {typeId: 'customer-group', id: group.id}
    const custom = {
      type: {typeId: 'type', key: 'guest'},
      fields: {lastVisit: '2026-10-30T10:05:00.000Z', friend: customerGroup},
    }
    const ada = {key: 'ada', email: 'ada@example.com', customerNumber: '1001', lastName: 'O"Hara'}
    await customer({...ada, customerGroup, custom})
  },
)
