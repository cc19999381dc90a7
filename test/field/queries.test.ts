import {rows} from './rows.js'

const customers = (query: Readonly<Record<string, string>>) => ({path: `/customers?${new URLSearchParams(query)}`})
const visits = (condition: string) => customers({where: `custom(fields(lastVisit ${condition}))`})
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
  ],
  async ({send, customer}) => {
    const lastVisit = {...{name: 'lastVisit', label: {en: 'Visit'}, required: false}, type: {name: 'DateTime'}}
    const type = {key: 'guest', name: {en: 'Guest'}, resourceTypeIds: ['customer'], fieldDefinitions: [lastVisit]}
    await send({path: '/types', body: type})
    const fields = {lastVisit: '2026-10-30T10:05:00.000Z'}
    await customer({key: 'ada', email: 'ada@example.com', custom: {type: {typeId: 'type', key: 'guest'}, fields}})
  },
)

rows('types', [
  {
    source: 'commercetools/commercetools-sdk-typescript, integration tests of types',
    says: 'the name of a field may have 52 characters, as in the vendor’s tests',
    request: {
      path: '/types',
      body: {
        ...{key: 'vendor', name: {en: 'Vendor'}, resourceTypeIds: ['customer']},
        fieldDefinitions: [
          {
            name: 'type-field-name-5a1a3cb4-97a2-4b0c-9f0e-7c8a7a7a1f10',
            ...{label: {en: 'Field'}, required: false, type: {name: 'String'}},
          },
        ],
      },
    },
    answer: {status: 201, body: {fieldDefinitions: [{name: /^type-field-name-/}]}},
  },
])
