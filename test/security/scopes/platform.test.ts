import {expect} from 'chai'
import {operations} from '../../../src/api/index.js'
import {platformScopes} from '../../fixtures/platform-scopes.js'

const bare = (path: string): string =>
  path.replace(/^\/\{projectKey\}(?:\/in-store\/key=\{storeKey\})?/, '').replace(/\{\w+\}/g, '{}')

const facts: ReadonlyMap<string, readonly string[]> = new Map(
  platformScopes.flatMap(({opens, paths}) =>
    paths.flatMap((path) =>
      Object.entries(opens).flatMap(([methods, scopes]) =>
        methods.split(' ').map((method) => [`${method} ${path.replace(/\{\w+\}/g, '{}')}`, scopes.split(' ')] as const),
      ),
    ),
  ),
)

/** Operations that differ, and the decision that says why. */
const decided: ReadonlyMap<RegExp, string> = new Map([
  [/^POST \/graphql$/, 'decision 44: what its fields touch'],
  [/^(?:GET|HEAD) \/products/, 'decision 35: every way to read products takes the same scopes'],
])

const ours = operations.flatMap(({method, path, permission}) =>
  permission.kind === 'bearer' ? [{route: `${method} ${bare(path)}`, path, anyOf: permission.anyOf}] : [],
)

describe('security · scopes of the platform', () => {
  it('open each operation that the platform has, and no others do', () => {
    const served = ours.filter(({route}) => facts.has(route) && ![...decided.keys()].some((rule) => rule.test(route)))
    expect(served.length).to.be.greaterThan(150)
    for (const {route, path, anyOf} of served) {
      // It opens everything, wherever it is named.
      const own = anyOf.filter((scope) => scope !== 'manage_project')
      expect([...own].sort(), `${path} ${route}`).to.deep.equal([...(facts.get(route) ?? [])].sort())
    }
  })

  it('are known for every operation but our own', () => {
    const unknown = ours.filter(({route}) => !facts.has(route)).map(({route}) => route)
    expect(unknown.filter((route) => !/\/_frontdesk\/|\/me\/carts\/key=/.test(route))).to.deep.equal([])
  })

  it('are decided otherwise only where they differ', () => {
    for (const rule of decided.keys()) expect(ours.some(({route}) => rule.test(route))).to.equal(true)
  })
})
