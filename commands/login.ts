import {BaseCommand} from '../src/cli/command/base-command.js'
import {ownToken} from '../src/cli/command/operations.js'
import {upToThreeTimes} from '../src/cli/input/ask.js'
import {optionalArg, switchFlag} from '../src/cli/input/flags.js'
import {secretFlags, secretOf} from '../src/cli/input/secret-inputs.js'
import {checkedBare, checkedSource, readSecret} from '../src/cli/input/secret-sources.js'
import {usage} from '../src/cli/process/failure.js'
import {checkedProjectKey, checkedUrl} from '../src/cli/target/addresses.js'
import {checkPlaceOf, clientFile, fromFlag} from '../src/cli/target/client-file.js'
import {isFolder, profileFlags, profileFrom} from '../src/cli/target/profile-flags.js'
import {changeProfile, checkedName, forgetSecret, type Profile, storeSecret} from '../src/cli/target/profiles.js'
import {profileFor} from '../src/cli/target/settings.js'
import {sideOf} from '../src/cli/target/target.js'
import {testTarget} from '../src/cli/target/whoami.js'
import {defined} from '../src/domain/equal.js'

const defaultApi = 'https://api.europe-west1.gcp.commercetools.com'

/** The authorization service of the platform stands beside its API. */
const authUrlBeside = (apiUrl: string, last: Profile | undefined): string =>
  (apiUrl === last?.apiUrl ? last.authUrl : undefined) ?? apiUrl.replace('://api.', '://auth.')

const notEmpty = (text: string): string => {
  if (text === '') throw usage('Nothing was typed.')
  return text
}

/** The credentials of an API client: the secret itself, or the place of one that is kept elsewhere. */
interface Given {
  readonly clientId: string
  readonly secret: string
  readonly from?: string
}

interface Answers {
  readonly profile: Profile
  readonly credentials?: Given
}

/** Flags that a profile is made of, beside those of its credentials. */
const settings = [
  ...Object.keys(profileFlags).filter((name) => name !== 'client-id' && name !== 'secret-from'),
  ...['project-key', 'api-url', 'auth-url', 'store', 'data', 'local', 'no-secret'],
]

export default class Login extends BaseCommand<typeof Login> {
  static override shows = 'installation' as const
  static override operations = ownToken
  static override summary = 'Connect to a project: add a profile with its address, API client and secret'
  static override description =
    'On a terminal it asks for what is missing; elsewhere flags give everything, the secret by --secret-stdin, --secret-file or --secret-from. --from takes the file that the Merchant Center offers with a new API client. It tests the credentials before it stores anything. A secret that is typed or read goes into a file that only you can read; it is only sent to the address and project of the profile. For an existing profile it stores another secret; --replace makes the profile anew. With --local or --data the profile is a project of this machine and needs no secret.'
  static override examples = [
    '<%= config.bin %> login production',
    '<%= config.bin %> login staging --from shop.env',
    '<%= config.bin %> login staging --client-id abc --secret-file secret.txt',
    '<%= config.bin %> login ci --project-key shop --api-url https://api.example --auth-url https://auth.example --client-id abc --secret-from env:STAGING_SECRET --protected --no-check',
    '<%= config.bin %> login scratch --local --project-key scratch',
  ]
  static override args = {name: optionalArg('a profile; the one in use if absent')}
  static override flags = {
    ...profileFlags,
    ...secretFlags('secret', 'secret'),
    ...fromFlag,
    'no-secret': switchFlag('Add the profile without a secret; variables or a later login provide it.', {
      exclusive: ['secret-from', 'secret-stdin', 'secret-file', 'no-check'],
    }),
    'no-check': switchFlag('Store the credentials without testing them.'),
    replace: switchFlag('Make an existing profile anew.'),
  }

  /** Its flags name the profile that it makes. */
  protected override get needsTarget(): boolean {
    return false
  }

  #file: Awaited<ReturnType<typeof clientFile>> | undefined

  get #given() {
    return {...this.flags, ...this.#file?.flags, ...defined({scopes: this.flags.scopes ?? this.#file?.flags.scopes})}
  }

  async run(): Promise<void> {
    const {flags, ask} = this
    const name = checkedName(await this.#name())
    if (name === 'local') {
      throw usage("The profile 'local' needs no login.", 'Name the project to connect to: frontdesk login production')
    }
    const existing = this.profiles.byName.get(name)
    const kept = flags.replace ? undefined : existing
    if (kept) this.#refuseSettings(name)
    if (flags.from !== undefined) this.#file = await clientFile(flags.from, this.io)
    if (kept && this.#file) checkPlaceOf(this.#file, name, kept)
    this.#refuseIdle(name, kept)
    // Before anything is asked or sent, and in a dry run.
    if (!kept && !ask.interactive) profileFrom(this.#given)
    const verb = kept ? 'change' : existing ? 'replace' : 'add'
    const profile = await this.effect({
      at: 'machine',
      plan: () => [{profile: name}, `would ${verb} profile ${name}, after testing its credentials`],
      act: async () => this.#stored(name, await this.#tested(name, kept, existing)),
    })
    if (!profile) return
    const {secret, clientId} = profile
    const where = secret === undefined ? '' : `: the secret of ${clientId} is in ${secret.from}`
    await this.output.answer(
      {profile: name, ...profile},
      `${verb}${verb === 'add' ? 'ed' : 'd'} profile ${name}${where}`,
    )
    if (flags.from !== undefined && flags.from !== '-') this.say(`${flags.from} still holds the secret: delete it.`)
    if (profile.apiUrl !== undefined && secret === undefined) this.say(`Next: frontdesk login ${name}, for its secret.`)
    else if (this.chosen.name.value !== name)
      this.say(`Next: frontdesk profiles use ${name}, or -P ${name} for one command.`)
  }

  /** The profile that is named, or in use; a person who has none of their own says how the new one is to be called. */
  async #name(): Promise<string> {
    const {args, flags, ask} = this
    if (args.name !== undefined) return profileFor(args.name, {profile: flags.profile})
    const {value} = this.chosen.name
    return value === 'local' && ask.interactive
      ? ask.checked('Name for the profile, such as production:', 'NAME', checkedName)
      : value
  }

  #refuseSettings(name: string): void {
    const given = settings.filter((flag) => this.given.has(flag))
    if (given.length === 0) return
    throw usage(
      `There is a profile '${name}' already: ${given.map((flag) => `--${flag}`).join(', ')} would change it.`,
      'Add --replace to make it anew, or choose another name.',
    )
  }

  /** Whether there are credentials to store: a project of this machine needs none. */
  #hasCredentials(isLocal: boolean): boolean {
    const {flags} = this
    if (flags['no-secret']) return false
    const named = flags['client-id'] ?? flags['secret-from'] ?? flags['secret-file']
    return !isLocal || named !== undefined || flags['secret-stdin']
  }

  #refuseIdle(name: string, kept: Profile | undefined): void {
    const {flags} = this
    const isLocal = kept ? kept.apiUrl === undefined : isFolder(flags)
    if (!isLocal || this.#hasCredentials(true)) return
    if (kept) throw usage(`Profile '${name}' is a project of this machine and needs no login.`, 'Use it: -P NAME.')
    const idle = (['no-secret', 'no-check'] as const).find((flag) => flags[flag])
    if (idle) throw usage(`--${idle} has no effect: a project of this machine needs no secret.`, 'Leave it out.')
  }

  /** Profile and credentials that the target takes; a person is asked again for what it refuses. */
  #tested(name: string, kept: Profile | undefined, existing: Profile | undefined): Promise<Answers> {
    const {flags, ask} = this
    const isTyped =
      ask.interactive &&
      !flags['secret-stdin'] &&
      (flags['secret-file'] ?? flags['secret-from'] ?? flags.from) === undefined
    let last: Profile | undefined
    let isTrying = false
    return upToThreeTimes(
      async (before) => {
        isTrying = false
        if (before !== '') this.say(`${before}Enter keeps what stands in brackets.`)
        else if (!existing && ask.interactive)
          this.say(`There is no profile '${name}' yet: this adds it. Ctrl-C leaves everything as it is.`)
        const profile = kept ?? (await this.#newProfile(last ?? existing))
        if (!this.#hasCredentials(profile.apiUrl === undefined)) return {profile}
        const credentials = await this.#credentials(profile, last)
        last = {...profile, clientId: credentials.clientId}
        isTrying = isTyped
        if (!flags['no-check']) await this.#try(name, profile, credentials)
        return {profile, credentials}
      },
      () => isTrying,
    )
  }

  /** A profile from flags and answers; `last` is what was answered, or stored, before. */
  async #newProfile(last: Profile | undefined): Promise<Profile> {
    const {ask} = this
    const flags = this.#given
    const checkedKey = (key: string) => checkedProjectKey(key, 'The key')
    const projectKey =
      flags['project-key'] ?? (await ask.checked('Key of the project:', '--project-key', checkedKey, last?.projectKey))
    if (isFolder(flags)) return profileFrom({...flags, 'project-key': projectKey})
    const address = async (flag: 'api-url' | 'auth-url', question: string, byDefault: string) =>
      flags[flag] ?? ask.checked(question, `--${flag}`, (url) => checkedUrl(url, 'The address'), byDefault)
    const apiUrl = await address('api-url', 'Address of the API:', last?.apiUrl ?? defaultApi)
    const asked = {...flags, 'project-key': projectKey, 'api-url': apiUrl}
    if (!ask.interactive) return profileFrom(asked)
    const authUrl = await address('auth-url', 'Address of the authorization:', authUrlBeside(apiUrl, last))
    return profileFrom({...asked, 'auth-url': authUrl})
  }

  async #credentials(profile: Profile, last: Profile | undefined): Promise<Given> {
    const {flags, ask, io} = this
    if (this.#file) return {clientId: this.#file.flags['client-id'], secret: this.#file.secret}
    const clientId =
      flags['client-id'] ??
      (last ? undefined : profile.clientId) ??
      (await ask.checked('Id of the API client:', '--client-id', notEmpty, last?.clientId))
    const source = flags['secret-from']
    if (source === undefined)
      return {clientId, secret: checkedBare(await secretOf(this, 'secret', 'Secret:'), 'The secret')}
    const from = checkedSource(source)
    return {clientId, from, secret: flags['no-check'] ? '' : await readSecret(from, io.env)}
  }

  #stored(name: string, {profile, credentials}: Answers): Profile {
    const {config} = this.folders
    const changed = changeProfile(config, name, (now) => {
      const isKept = now !== undefined && !this.flags.replace
      if (isKept && !this.profiles.byName.has(name))
        throw usage(`There is a profile '${name}' already.`, 'Add --replace.')
      const base = isKept ? now : profile
      if (!credentials) {
        forgetSecret(config, name)
        return base
      }
      const {clientId, secret, from} = credentials
      if (from !== undefined) forgetSecret(config, name)
      return {...base, clientId, secret: {from: from ?? storeSecret(config, name, secret)}}
    })
    return changed.byName.get(name) ?? profile
  }

  /** Asks for a token with the new credentials, at the profile's own address. */
  async #try(name: string, profile: Profile, {clientId, secret}: Given): Promise<void> {
    this.reportedProfile = name
    const credentials = {
      kind: 'client',
      clientId,
      secret: () => Promise.resolve(secret),
      ...defined({scopes: profile.scopes}),
    } as const
    const profiles = {...this.profiles, byName: new Map([...this.profiles.byName, [name, profile]])}
    const {target} = sideOf(name, profiles, this.folders, this.io.env).resolved
    const client = await this.connection.to({...target, credentials})
    try {
      await testTarget(client, credentials, this.io.clock)
    } finally {
      await client.close()
    }
  }
}
