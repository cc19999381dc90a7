import {Args, Flags} from '@oclif/core'
import {BaseCommand} from '../src/cli/command/base-command.js'
import {ownToken} from '../src/cli/command/operations.js'
import {secretFrom} from '../src/cli/input/secret-inputs.js'
import {usage} from '../src/cli/process/failure.js'
import {profileFrom} from '../src/cli/target/profile-flags.js'
import {changeProfiles, checkedName, type Profile, profileNamed} from '../src/cli/target/profiles.js'
import {storeSecret} from '../src/cli/target/stored-secrets.js'
import {testTarget} from '../src/cli/target/whoami.js'

export default class Login extends BaseCommand<typeof Login> {
  static override shows = 'installation' as const
  static override operations = ownToken
  static override summary = 'Connect to a project: address, API client and secret'
  static override description =
    'On a terminal it asks for what is missing, and adds the profile if there is none of this name; elsewhere --api-url, --auth-url and --project-key say it. The secret goes into the keyring of the system if the package @napi-rs/keyring is installed beside frontdesk, otherwise into a file that only you can read. It is tested first, and is only sent to the address and project of the profile.'
  static override examples = [
    '<%= config.bin %> login production',
    '<%= config.bin %> login staging --client-id abc --secret-file secret.txt',
  ]
  static override args = {name: Args.string({ignoreStdin: true, description: 'a profile; the one in use if absent'})}
  static override flags = {
    'client-id': Flags.string({helpValue: 'ID', summary: 'Id of the API client.'}),
    'secret-stdin': Flags.boolean({exclusive: ['secret-file'], summary: 'Read the secret from stdin.'}),
    'secret-file': Flags.string({helpValue: 'FILE', summary: 'Read the secret from a file that only you can read.'}),
    'in-file': Flags.boolean({summary: 'Store the secret in a file even if there is a keyring.'}),
    'no-check': Flags.boolean({summary: 'Store the secret without testing it.'}),
  }

  async run(): Promise<void> {
    const name = checkedName(this.args.name ?? (await this.#current()))
    if (name === 'local') {
      throw usage("The profile 'local' needs no login.", 'Name the project to connect to: frontdesk login production')
    }
    const profile = this.profiles.byName.get(name) ?? (await this.#newProfile(name))
    const stored = await this.effect({
      at: 'machine',
      plan: () => [{profile: name}, `would store the secret of an API client for ${name}, after testing it`],
      act: () => this.#stored(name, profile),
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
      ? this.ask.text('Name for the profile, such as production:', 'NAME')
      : value
  }

  /** A profile that there is not yet, from flags and answers. Throws usage where nobody can be asked. */
  async #newProfile(name: string): Promise<Profile> {
    const {flags, ask} = this
    if (!ask.interactive && flags['api-url'] === undefined) return profileNamed(this.profiles, name)
    this.say(`There is no profile '${name}' yet: this adds it. Ctrl-C leaves everything as it is.`)
    const asked = async (flag: 'api-url' | 'auth-url' | 'project-key', question: string, byDefault?: string) =>
      flags[flag] ?? (await ask.text(question, `--${flag}`, byDefault)).trim()
    const projectKey = await asked('project-key', 'Key of the project:')
    const apiUrl = await asked('api-url', 'Address of the API:', 'https://api.europe-west1.gcp.commercetools.com')
    const authUrl = await asked('auth-url', 'Address of the authorization:', apiUrl.replace('://api.', '://auth.'))
    return profileFrom({...flags, 'project-key': projectKey, 'api-url': apiUrl, 'auth-url': authUrl})
  }

  async #stored(name: string, profile: Profile) {
    const clientId =
      this.flags['client-id'] ?? profile.clientId ?? (await this.ask.text('Id of the API client:', '--client-id'))
    const secret = await secretFrom(
      {stdin: this.flags['secret-stdin'], file: this.flags['secret-file']},
      {io: this.io, ask: this.ask, question: 'Secret:', flag: '--secret-stdin or --secret-file'},
    )
    if (!this.flags['no-check']) await this.#try(name, profile, {clientId, secret})
    const stored = await storeSecret(this.folders.config, name, profile, secret, this.flags['in-file'])
    changeProfiles(this.folders.config, (profiles) => {
      const now = profiles.byName.get(name) ?? profile
      return {
        ...profiles,
        byName: new Map([...profiles.byName, [name, {...now, clientId, secret: {from: stored.from}}]]),
      }
    })
    return {clientId, ...stored}
  }

  /** Asks for a token with the new credentials, at the profile's own address. */
  async #try(
    name: string,
    profile: Profile,
    {clientId, secret}: {readonly clientId: string; readonly secret: string},
  ): Promise<void> {
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
