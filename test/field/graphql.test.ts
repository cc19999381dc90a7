import {rows} from './rows.js'

const ask = (query: string, variables?: object) => ({path: '/graphql', body: {query, variables}})
const signUp = 'mutation {\n  customerSignUp(draft: {email: "w9@example.com", password: ""}) { customer { id } }\n}'
const located = (line: number, column: number, message: RegExp) => ({
  status: 400,
  body: {data: undefined, errors: [{message, locations: [{line, column}], extensions: {code: 'InvalidInput'}}]},
})

rows('GraphQL', [
  {
    source: 'commercetools/merchant-center-application-kit#168',
    says: 'an error of a mutation has its path, its place in the document and a code',
    request: ask(signUp),
    answer: {
      status: 200,
      body: {
        errors: [
          {
            message: "'password' should not be empty.",
            path: ['customerSignUp'],
            locations: [{line: 2, column: 3}],
            extensions: {code: 'InvalidOperation'},
          },
        ],
      },
    },
  },
  {
    source: 'commercetools/merchant-center-application-kit#3392',
    says: 'a field that a type lacks is refused where it stands',
    request: ask('{ customers { total nothing } }'),
    answer: located(1, 21, /nothing/),
  },
  {
    source: 'commercetools/merchant-center-application-kit#3392',
    says: 'a variable of another type is refused where it is declared',
    request: ask('query ($limit: Int) { customers(limit: $limit) { total } }', {limit: 'many'}),
    answer: located(1, 8, /\$limit/),
  },
  {
    source: 'commercetools/merchant-center-application-kit#3392',
    says: 'a text that is no document is refused where it ends to be one',
    request: ask('{ customers {'),
    answer: located(1, 14, /^Syntax Error/),
  },
  {
    source: 'commercetools/commercetools-sync-java#601',
    says: 'an update that fails names its action in the extensions',
    request: async ({customer}) => {
      const {id, version} = await customer()
      const actions = '{setTitle: {title: "Dr"}}, {removeAddress: {addressId: "none"}}'
      return ask(`mutation { updateCustomer(id: "${id}", version: ${version}, actions: [${actions}]) { id } }`)
    },
    answer: {status: 200, body: {errors: [{extensions: {action: {action: 'removeAddress'}, actionIndex: 1}}]}},
  },
])
