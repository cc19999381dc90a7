import {expect} from 'chai'
import type {Failure} from '../../../src/cli/process/failure.js'
import {checkedUrl} from '../../../src/cli/target/addresses.js'
import type {Profile} from '../../../src/cli/target/profiles.js'
import {chosenProfile, type GlobalFlags} from '../../../src/cli/target/settings.js'
import {resolveTarget} from '../../../src/cli/target/target.js'

const staging: Profile = {
  projectKey: 'shop',
  apiUrl: 'https://api.example',
  authUrl: 'https://auth.example',
  clientId: 'me',
  secret: {from: 'env:STAGING_SECRET'},
}
const profiles = {
  byName: new Map<string, Profile>([
    ['local', {projectKey: 'local'}],
    ['staging', staging],
  ]),
}
const folders = {config: '/c', data: '/d', cache: '/k'}

const resolved = (flags: GlobalFlags, env: Record<string, string> = {}) =>
  resolveTarget({flags, env, folders, chosen: chosenProfile(profiles, flags, env)})

const secretOf = async (flags: GlobalFlags, env: Record<string, string>): Promise<string | undefined> => {
  const {credentials} = resolved(flags, env).target
  if (credentials?.kind === 'client') return credentials.secret()
  if (credentials?.kind === 'token') return credentials.token()
  return undefined
}

describe('cli · target', () => {
  it('is embedded without any configuration', () => {
    expect(resolved({})).to.deep.include({
      label: 'local',
      target: {kind: 'embedded', projectKey: 'local', dataDir: '/d'},
    })
  })

  it('prefers flags to the environment, and the environment to the profile', () => {
    const env = {FRONTDESK_PROFILE: 'staging', FRONTDESK_PROJECT_KEY: 'from-env', FRONTDESK_STORE: 'env-store'}
    expect(resolved({}, {FRONTDESK_PROFILE: 'staging'}).target.projectKey).to.equal('shop')
    expect(resolved({}, env).target).to.include({kind: 'remote', projectKey: 'from-env', storeKey: 'env-store'})
    const all = resolved({'project-key': 'from-flag', store: 'flag-store'}, env)
    expect(all.target).to.include({projectKey: 'from-flag', storeKey: 'flag-store'})
    expect(all.origins.get('projectKey')).to.deep.equal({value: 'from-flag', origin: {by: 'flag', name: 'project-key'}})
    expect(all.origins.get('profile')?.origin).to.deep.equal({by: 'environment', name: 'FRONTDESK_PROFILE'})
    expect(resolved({global: true}, env).target.storeKey).to.equal(undefined)
  })

  it('is remote as soon as an address is given, named after its host', () => {
    const {target, label} = resolved({'api-url': 'http://127.0.0.1:8080/', 'project-key': 'shop'})
    expect(target).to.deep.include({kind: 'remote', apiUrl: 'http://127.0.0.1:8080', authUrl: 'http://127.0.0.1:8080'})
    expect(label).to.equal('127.0.0.1:8080')
  })

  it('goes to the local state when that is asked for, whatever the environment says', () => {
    const env = {FRONTDESK_API_URL: 'https://api.example'}
    expect(resolved({local: true}, env).target.kind).to.equal('embedded')
    expect(resolved({data: '/x'}, env).target).to.deep.include({kind: 'embedded', dataDir: '/x'})
  })

  it('takes credentials from the environment first, then from the profile', async () => {
    const profileOnly = {FRONTDESK_PROFILE: 'staging', STAGING_SECRET: 'of-profile'}
    expect(await secretOf({}, profileOnly)).to.equal('of-profile')
    expect(await secretOf({}, {...profileOnly, FRONTDESK_CLIENT_ID: 'ci', FRONTDESK_CLIENT_SECRET: 'of-ci'})).to.equal(
      'of-ci',
    )
    expect(await secretOf({}, {...profileOnly, FRONTDESK_TOKEN: 'token'})).to.equal('token')
    expect(() => resolved({}, {FRONTDESK_CLIENT_ID: 'ci'})).to.throw('FRONTDESK_CLIENT_SECRET is missing')
  })

  it("never sends a profile's secret to another address or project", async () => {
    const env = {FRONTDESK_PROFILE: 'staging', STAGING_SECRET: 'of-profile'}
    for (const flags of [
      {'api-url': 'https://evil.example'},
      {'auth-url': 'https://evil.example'},
      {'project-key': 'other'},
    ]) {
      const failure = await secretOf(flags, env).catch((error: Failure) => error)
      expect(failure, JSON.stringify(flags)).to.include({ending: 'denied', code: 'NoCredential'})
    }
  })

  it('refuses addresses that are not safe to send credentials to', () => {
    for (const url of [
      'http://api.example',
      'file:///etc/passwd',
      'javascript:alert(1)',
      'https://user:pass@api.example',
      'ftp://api.example',
      'nonsense',
      'http://127.0.0.1.evil.example',
      'https://api.example?token=x',
    ]) {
      expect(() => checkedUrl(url, '--api-url'), url)
        .to.throw()
        .with.property('ending', 'usage')
    }
    for (const url of ['https://api.example', 'http://localhost:1', 'http://127.0.0.1:1', 'http://[::1]:1']) {
      expect(checkedUrl(`${url}/`, '--api-url')).to.equal(url)
    }
    expect(() => checkedUrl('https://user:hunter2@api.example', '--api-url'))
      .to.throw()
      .with.property('message')
      .not.include('hunter2')
  })

  it('refuses to go on without the check of certificates', () => {
    const env = {NODE_TLS_REJECT_UNAUTHORIZED: '0'}
    expect(() => resolved({'api-url': 'https://api.example'}, env)).to.throw('NODE_TLS_REJECT_UNAUTHORIZED')
    expect(resolved({'api-url': 'https://127.0.0.1:1'}, env).target.kind).to.equal('remote')
  })

  it('names the profiles when one is unknown', () => {
    expect(() => resolved({profile: 'stagin'}))
      .to.throw("There is no profile 'stagin'.")
      .with.property('hints')
      .deep.equal(['Did you mean staging?', 'Profiles: local, staging.', 'Add it: frontdesk login stagin'])
  })

  it('refuses keys that are none', () => {
    for (const key of ['oauth', 'A', '../x', 'a b', '']) {
      if (key !== '') expect(() => resolved({'project-key': key}), key).to.throw('is not a project key')
    }
    expect(() => resolved({store: 'a/b'})).to.throw('is not a store key')
  })
})
