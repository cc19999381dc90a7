import {expect} from 'chai'
import fc from 'fast-check'
import {ApiError} from '../../src/domain/errors.js'
import {
  grantedScopes,
  grants,
  parseScope,
  type Scope,
  scopeNames,
  splitScopes,
  stillHeld,
  storeScopeNames,
} from '../../src/oauth/scopes.js'
import {limits} from '../../src/work/limits.js'

const projects = ['shop', 'shop2', 'sho'] as const
const stores = ['S1', 'S10', 'S'] as const
const textOf = ({name, projectKey, storeKey}: Scope): string =>
  [name, projectKey, ...(storeKey === undefined ? [] : [storeKey])].join(':')

const scope: fc.Arbitrary<Scope> = fc.oneof(
  fc.record({name: fc.constantFrom(...scopeNames), projectKey: fc.constantFrom(...projects)}),
  fc.record({
    name: fc.constantFrom(...storeScopeNames),
    projectKey: fc.constantFrom(...projects),
    storeKey: fc.constantFrom(...stores),
  }),
)
const covers = (held: Scope, wanted: Scope): boolean => grants([textOf(held)], wanted)
const texts = fc.array(scope.map(textOf), {maxLength: 6})

function refusal(work: () => unknown): string | undefined {
  try {
    work()
    return undefined
  } catch (error) {
    if (error instanceof ApiError) return error.code
    throw error
  }
}

describe('oauth · scopes', () => {
  it('reads what it writes, and only that', () => {
    fc.assert(
      fc.property(scope, (one) => {
        expect(parseScope(textOf(one))).to.deep.equal(one)
      }),
    )
    fc.assert(
      fc.property(fc.string(), (text) => {
        const parsed = parseScope(text)
        if (parsed) expect(textOf(parsed)).to.equal(text)
      }),
    )
  })

  it('covers itself, and whatever is covered by what it covers', () => {
    fc.assert(fc.property(scope, (one) => covers(one, one)))
    fc.assert(
      fc.property(scope, scope, scope, (a, b, c) => {
        if (covers(a, b) && covers(b, c)) expect(covers(a, c)).to.equal(true)
      }),
      {numRuns: 2000},
    )
  })

  it('never covers another project, nor the project from a store', () => {
    fc.assert(
      fc.property(scope, scope, (held, wanted) => {
        if (!covers(held, wanted)) return
        expect(wanted.projectKey).to.equal(held.projectKey)
        if (held.storeKey !== undefined) expect(wanted.storeKey).to.equal(held.storeKey)
      }),
      {numRuns: 2000},
    )
  })

  it('never covers writing from reading', () => {
    fc.assert(
      fc.property(scope, scope, (held, wanted) => {
        if (held.name.startsWith('view_') && covers(held, wanted))
          expect(wanted.name.startsWith('manage_')).to.equal(false)
      }),
    )
  })

  it('lets manage_project cover every scope of its project but those of API clients', () => {
    fc.assert(
      fc.property(scope, (wanted) => {
        const isOfClients = wanted.name.endsWith('_api_clients')
        expect(grants([`manage_project:${wanted.projectKey}`], wanted)).to.equal(!isOfClients)
      }),
    )
  })

  it('grants what was asked for, if all of it is held by name, and nothing otherwise', () => {
    fc.assert(
      fc.property(texts, texts, (held, asked) => {
        fc.pre(asked.length > 0)
        const own = held.filter((text) => parseScope(text)?.projectKey === 'shop')
        const isHeld = asked.every((text) => own.includes(text))
        const code = refusal(() => {
          expect(grantedScopes(held, asked.join(' '), 'shop')).to.deep.equal([...new Set(asked)])
        })
        expect(code).to.equal(isHeld ? undefined : 'invalid_scope')
      }),
      {numRuns: 1000},
    )
  })

  it('grants all that is held of the project when nothing is asked for', () => {
    const held = ['view_customers:shop', 'view_customers:shop', 'view_orders:shop2', 'nonsense', 'customer_id:x']
    expect(grantedScopes(held, undefined, 'shop')).to.deep.equal(['view_customers:shop'])
    expect(grantedScopes(held, '', 'shop')).to.deep.equal(['view_customers:shop'])
    expect(refusal(() => grantedScopes(held, undefined, 'sho'))).to.equal('invalid_scope')
  })

  it('keeps of a grant what is still held', () => {
    const granted = ['manage_customers:shop', 'view_orders:shop', 'manage_my_profile:shop:S1']
    expect(stillHeld(granted, ['view_customers:shop', 'manage_orders:shop'])).to.deep.equal(['view_orders:shop'])
    expect(stillHeld(granted, ['manage_project:shop'])).to.deep.equal(granted)
  })

  it('reads a scope of two or three parts whose name is known, and nothing else', () => {
    expect(parseScope('view_customers:shop')).to.deep.equal({name: 'view_customers', projectKey: 'shop'})
    for (const text of ['', 'view_customers', 'nonsense:shop', 'view_customers:sh op', 'view_customers:', ':shop'])
      expect(parseScope(text), text).to.equal(undefined)
    for (const text of ['view_customers:shop:S1:S2', 'view_customers:shop:', 'manage_project:shop:S1'])
      expect(parseScope(text), text).to.equal(undefined)
  })

  it('takes as many characters and scopes as are allowed, and no more', () => {
    const asked = (count: number) => Array.from({length: count}, (_, at) => `view_customers:shop:S${at}`).join(' ')
    const held = asked(limits.scopes + 1).split(' ')
    expect(grantedScopes(held, asked(limits.scopes), 'shop')).to.have.length(limits.scopes)
    expect(refusal(() => grantedScopes(held, asked(limits.scopes + 1), 'shop'))).to.equal('invalid_scope')
  })

  it('counts the characters of a request before it reads any', () => {
    const texts = Array.from({length: limits.scopes}, (_, at) => `view_customers:shop:${String(at).padStart(79, 'S')}`)
    const most = `${texts.join(' ')}S`
    expect(most).to.have.length(limits.scopeCharacters)
    const held = most.split(' ')
    expect(grantedScopes(held, most, 'shop')).to.have.length(limits.scopes)
    expect(refusal(() => grantedScopes(held, `${most}S`, 'shop'))).to.equal('invalid_scope')
  })

  it('splits at single blanks and refuses every other separator', () => {
    expect(splitScopes('a:b c:d a:b')).to.deep.equal(['a:b', 'c:d'])
    for (const text of ['', ' a', 'a ', 'a  b', 'a\tb', 'a\nb', 'a\n', 'a\u00a0b', 'a"b', 'a\\b']) {
      expect(
        refusal(() => splitScopes(text)),
        JSON.stringify(text),
      ).to.equal('invalid_scope')
    }
  })
})
