import {expect} from 'chai'
import {operations} from '../../src/api/index.js'
import {type AnyOperation, secretsOf} from '../../src/api/operation/operation.js'
import {
  holdsSecret,
  isSecretAnswer,
  isSecretMember,
  isSecretPath,
  pathWithoutSecrets,
  secretMembers,
} from '../../src/domain/secret-members.js'
import {adminOperations} from '../../src/server/local/admin.js'

const all: readonly AnyOperation[] = [...operations, ...Object.values(adminOperations)]

/** Names of all members of a schema, at any depth. */
function membersOf(schema: unknown, seen = new Set<unknown>()): string[] {
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return []
  seen.add(schema)
  const {entries, wrapped, item, options, pipe} = schema as Record<string, unknown>
  const members = Object.entries((entries ?? {}) as object)
  const inner = [wrapped, item, ...((options ?? []) as unknown[]), ...((pipe ?? []) as unknown[])]
  return [
    ...members.flatMap(([name, entry]) => [name, ...membersOf(entry, seen)]),
    ...inner.flatMap((one) => membersOf(one, seen)),
  ]
}

const namesOf = ({path, formParameters = [], body, actions}: AnyOperation): string[] => [
  ...[...String(path).matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
  ...formParameters,
  ...membersOf(body),
  ...[...(actions?.values() ?? [])].flatMap(({schema}) => membersOf(schema)),
]

/** Numbers and switches about tokens. */
const harmless = new Set(['accessTokenValiditySeconds', 'refreshTokenValiditySeconds'])

describe('secret members', () => {
  it('are declared by every operation that takes one', () => {
    for (const operation of all) {
      const secrets: readonly string[] = secretsOf(operation)
      const undeclared = namesOf(operation).filter(
        (name) => isSecretMember(name) && !harmless.has(name) && !secrets.includes(name),
      )
      expect(undeclared, operation.id).to.deep.equal([])
    }
  })

  it('are no more than operations use', () => {
    const used = new Set(all.flatMap(secretsOf))
    expect([...used].sort()).to.deep.equal(Object.keys(secretMembers).sort())
  })

  it('stand in paths under a segment that logs know', () => {
    const paths = all.flatMap((operation) =>
      Object.entries(secretMembers)
        .filter(([name, kind]) => kind === 'path' && String(operation.path).includes(`{${name}}`))
        .map(([name]) => String(operation.path).replace(`{${name}}`, 'canary')),
    )
    expect(paths.length).to.equal(4)
    for (const path of paths) expect(pathWithoutSecrets(path)).to.match(/-token=…$/)
  })

  it('are masked in paths however they are encoded', () => {
    for (const path of [
      '/p/customers/password-token=canary',
      '/p/customers/Password-Token=canary/more',
      '/p/customers/email%2dtoken%3dcanary?expand=x',
      '/p/customers%2Femail-token%253Dcanary',
      '/p/%63ustomers/%70assword%2Dtoken=canary%zz',
      '/p/customers/%25252570assword-token=canary',
      '/p/customers?x=email-token=canary',
    ]) {
      expect(holdsSecret(path), path).to.equal(true)
      expect(pathWithoutSecrets(path), path).to.not.include('canary')
    }
    expect(pathWithoutSecrets('/p/password-token =canary')).to.not.include('canary')
    expect(pathWithoutSecrets(`/p/%${'25'.repeat(40)}70assword-token=canary`)).to.equal('…')
    expect(pathWithoutSecrets('/p/a%0Ab/email-token=x')).to.equal('/p/a%0Ab/email-token=…')
    expect(pathWithoutSecrets('/p/customers/key=a%2Fb?limit=1')).to.equal('/p/customers/key=a%2Fb?limit=1')
  })

  it('are known by their looks where nobody declared them', () => {
    for (const name of ['apiSecret', 'sessionToken', 'oldPassword', 'proxyAuthorization', 'apiKey']) {
      expect(isSecretMember(name), name).to.equal(true)
    }
    for (const name of ['email', 'token_type', 'invalidateOlderTokens', 'key', 'value', 'toString']) {
      expect(isSecretMember(name), name).to.equal(false)
    }
    expect(isSecretAnswer('value')).to.equal(true)
    expect(isSecretPath('actions[0].password')).to.equal(true)
    expect(isSecretPath('addresses[0].city')).to.equal(false)
  })
})
