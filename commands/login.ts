import {Args, Flags} from '@oclif/core'
import {BaseCommand} from '../src/cli/command/base-command.js'
import {ownToken} from '../src/cli/command/operations.js'
import {upToThreeTimes} from '../src/cli/input/ask.js'
import {textFlag} from '../src/cli/input/flags.js'
import {secretFlags, secretOf} from '../src/cli/input/secret-inputs.js'
import {usage} from '../src/cli/process/failure.js'
import {checkedProjectKey, checkedUrl} from '../src/cli/target/addresses.js'
import {profileFrom} from '../src/cli/target/profile-flags.js'
import {changeProfile, checkedName, type Profile, profileNamed} from '../src/cli/target/profiles.js'
import {storeSecret} from '../src/cli/target/stored-secrets.js'
import {testTarget} from '../src/cli/target/whoami.js'

const defaultApi = 'https://api.europe-west1.gcp.commercetools.com'

/** The authorization service of the platform stands beside its API. */
const authUrlBeside = (apiUrl: string, last: Profile | undefined): string =>
  (apiUrl === last?.apiUrl ? last.authUrl : undefined) ?? apiUrl.replace('://api.', '://auth.')

const notEmpty = (text: string): string => {
  if (text === '') throw usage('Nothing was typed.')
  return text
}

interface Answers {
  readonly profile: Profile
  readonly clientId: string
  readonly secret: string
}

export default class Login extends BaseCommand<typeof Login> {
  static override shows = 'installation' as const
  static override operations = ownToken
  static override summary = 'Connect to a project: address, API client and secret'
  static override description =
    'On a terminal it asks for what is missing and creates the profile; elsewhere give --api-url, --auth-url and --project-key. It tests the secret, then stores it in the keyring of the system if the package @napi-rs/keyring is installed beside frontdesk, otherwise in a file that only you can read. The secret is only sent to the address and project of the profile.'
  static override examples = [
    '<%= config.bin %> login production',
    '<%= config.bin %> login staging --client-id abc --secret-file secret.txt',
  ]
  static override args = {name: Args.string({ignoreStdin: true, description: 'a profile; the one in use if absent'})}
  static override flags = {
    'client-id': textFlag('ID', 'Id of the API client.'),
    ...secretFlags('secret', 'secret'),
    'in-file': Flags.boolean({summary: 'Store the secret in a file even if there is a keyring.'}),
    'no-check': Flags.boolean({summary: 'Store the secret without testing it.'}),
  }

  async run(): Promise<void> {
    const name = checkedName(this.args.name ?? (await this.#current()))
    if (name === 'local') {
      throw usage("The profile 'local' needs no login.", 'Name the project to connect to: frontdesk login production')
    }
    if (!this.profiles.byName.has(name) && !this.ask.interactive && this.flags['api-url'] === undefined)
      profileNamed(this.profiles, name)
    const stored = await this.effect({
      at: 'machine',
      plan: () => [{profile: name}, `would store the secret of an API client for ${name}, after testing it`],
      act: async () => this.#stored(name, await this.#tested(name)),
    })
    if (!stored) return
    const {clientId, from, because} = stored
    if (because !== undefined) this.say(`${because}; the secret goes into a file.`.replace('.;', ';'))
    await this.output.answer({profile: name, clientId, storedIn: from}, `stored the secret of ${clientId} in ${from}`)
    if (this.chosen.name.value !== name)
      this.say(`Next: frontdesk profiles use ${name}, or -P ${name} for one command.`)
  }

  /** The profile in use; a person who has none of their own says how the new one is to be called. */
  async #current(): Promise<string> {
    const {value} = this.chosen.name
    return value === 'local' && this.ask.interactive
      ? this.ask.checked('Name for the profile, such as production:', 'NAME', checkedName)
      : value
  }

  /** Profile and credentials that the target takes; a person is asked again for what it refuses. */
  async #tested(name: string): Promise<Answers> {
    const {flags, ask} = this
    const isTyped = ask.interactive && !flags['secret-stdin'] && flags['secret-file'] === undefined
    let last: Profile | undefined
    let isTrying = false
    return upToThreeTimes(
      async (before) => {
        isTrying = false
        if (before !== '') this.say(`${before}Enter keeps what stands in brackets.`)
        const profile = this.profiles.byName.get(name) ?? (await this.#newProfile(name, last))
        const clientId =
          flags['client-id'] ??
          (last ? undefined : profile.clientId) ??
          (await ask.checked('Id of the API client:', '--client-id', notEmpty, last?.clientId))
        const secret = await secretOf(this, 'secret', 'Secret:')
        last = {...profile, clientId}
        const answers = {profile, clientId, secret}
        isTrying = isTyped
        if (!flags['no-check']) await this.#try(name, answers)
        return answers
      },
      () => isTrying,
    )
  }

  /** A profile that there is not yet, from flags and answers; `last` is what was answered before. */
  async #newProfile(name: string, last: Profile | undefined): Promise<Profile> {
    const {flags, ask} = this
    if (!last) this.say(`There is no profile '${name}' yet: this adds it. Ctrl-C leaves everything as it is.`)
    const projectKey =
      flags['project-key'] ??
      (await ask.checked(
        'Key of the project:',
        '--project-key',
        (key) => checkedProjectKey(key, 'The key'),
        last?.projectKey,
      ))
    const address = async (flag: 'api-url' | 'auth-url', question: string, byDefault: string) =>
      flags[flag] ?? ask.checked(question, `--${flag}`, (url) => checkedUrl(url, 'The address'), byDefault)
    const apiUrl = await address('api-url', 'Address of the API:', last?.apiUrl ?? defaultApi)
    const authUrl = await address('auth-url', 'Address of the authorization:', authUrlBeside(apiUrl, last))
    return profileFrom({...flags, 'project-key': projectKey, 'api-url': apiUrl, 'auth-url': authUrl})
  }

  async #stored(name: string, {profile, clientId, secret}: Answers) {
    const stored = await storeSecret(this.folders.config, name, profile, secret, this.flags['in-file'])
    const secretNow = {clientId, secret: {from: stored.from}}
    changeProfile(this.folders.config, name, (now = profile) => ({...now, ...secretNow}))
    return {clientId, ...stored}
  }

  /** Asks for a token with the new credentials, at the profile's own address. */
  async #try(name: string, {profile, clientId, secret}: Answers): Promise<void> {
    this.reportedProfile = name
    const credentials = {kind: 'client', clientId, secret: () => Promise.resolve(secret)} as const
    const profiles = {...this.profiles, byName: new Map([...this.profiles.byName, [name, profile]])}
    const client = await this.clientFor(name, credentials, profiles)
    try {
      await testTarget(client, credentials, this.io.clock)
    } finally {
      await client.close()
    }
  }
}
