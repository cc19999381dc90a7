import {type MutationGroup, of} from './mutation.js'

/** What a GraphQL query may ask, and how much. */

const bounds = of('src/api/graphql/bounds.ts')
const resolvers = of('src/api/graphql/resolvers.ts')
const queries = of('src/api/graphql/operation.ts')

export const graphqlQueries: MutationGroup = {
  tests: ['api/graphql/queries', 'api/graphql/references', 'api/graphql/accounts'],
  mutations: [
    resolvers(
      'any scope reads every collection by GraphQL',
      '  await permitTouch(context, operation.permission)\n',
      '',
    ),
    resolvers('any scope follows every reference', 'if (maySee(context, typeId, document)) return', 'return'),
    resolvers('references have any size', 'if (!budget.fits(', 'if (!budget && !('),
    bounds('fragments and aliases multiply without end', 'if (count > most.fields)', 'if (count > 1e7)'),
    bounds('a query asks for everything at once', 'selections.length > limits.graphqlRoots', 'selections.length > 1e7'),
    queries('an answer has any number of values', 'budget.fitsValues(cost)', 'cost > 0'),
    queries('every value beyond is an error', '        .slice(0, limits.listedIssues)\n', ''),
    bounds('fragments that nothing uses are free', 'if (!used.has(fragment)) visit', 'if (count < 0) visit'),
    queries('a document has any number of tokens', '{maxTokens}', '{}'),
  ],
}
