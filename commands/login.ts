import {Args, Flags} from '@oclif/core'
import {BaseCommand} from '../src/cli/command/base-command.js'
import {ownToken} from '../src/cli/command/operations.js'
import {usage} from '../src/cli/process/failure.js'
import {secretFrom} from '../src/cli/secrets/secret-inputs.js'
import {storeSecret} from '../src/cli/target/login.js'
import {changeProfiles, type Profile, profileNamed} from '../src/cli/target/profiles.js'
import {testTarget} from '../src/cli/target/whoami.js'

export default class Login extends BaseCommand<typeof Login> {
  static override shows = 'installation' as const
  static override operations = ownToken
  static override summary = 'Store the secret of an API client for a profile'
  static override description =
    'Uses the keyring of the system if the package @napi-rs/keyring is installed beside frontdesk, otherwise a file that only you can read. The secret is tested first, and is only sent to the address and project of the profile.'
  static override examples = ['<%= config.bin %> login staging --client-id abc --secret-file secret.txt']
  static override args = {name: Args.string({ignoreStdin: true, description: 'a profile; the one in use if absent'})}
  static override flags = {
    'client-id': Flags.string({helpValue: 'ID', summary: 'Id of the API client.'}),
    'secret-stdin': Flags.boolean({exclusive: ['secret-file'], summary: 'Read the secret from stdin.'}),
    'secret-file': Flags.string({helpValue: 'FILE', summary: 'Read the secret from a file that only you can read.'}),
    'in-file': Flags.boolean({summary: 'Store the secret in a file even if there is a keyring.'}),
    'no-check': Flags.boolean({summary: 'Store the secret without testing it.'}),
  }

  async run(): Promise<void> {
    const name = this.args.name ?? this.chosen.name.value
    if (name === 'local') throw usage("The profile 'local' needs no login.", 'Name another profile.')
    const profile = profileNamed(this.profiles, name)
    const stored = await this.effect({
      at: 'machine',
      plan: () => [{profile: name}, `would store the secret of an API client for ${name}, after testing it`],
      act: () => this.#stored(name, profile),
    })
    if (!stored) return
    const {clientId, from, because} = stored
    if (because !== undefined) this.say(`${because}; the secret goes into a file.`.replace('.;', ';'))
    await this.output.answer({profile: name, clientId, storedIn: from}, `stored the secret of ${clientId} in ${from}`)
  }

  async #stored(name: string, profile: Profile) {
    const clientId =
      this.flags['client-id'] ?? profile.clientId ?? (await this.ask.text('Id of the API client:', '--client-id'))
    const secret = await secretFrom(
      {stdin: this.flags['secret-stdin'], file: this.flags['secret-file']},
      {io: this.io, ask: this.ask, question: 'Secret:', flag: '--secret-stdin or --secret-file'},
    )
    if (!this.flags['no-check']) await this.#try(name, clientId, secret)
    const stored = await storeSecret(this.folders.config, name, profile, secret, this.flags['in-file'])
    changeProfiles(this.folders.config, (profiles) => {
      const now = profileNamed(profiles, name)
      return {
        ...profiles,
        byName: new Map([...profiles.byName, [name, {...now, clientId, secret: {from: stored.from}}]]),
      }
    })
    return {clientId, ...stored}
  }

  /** Asks for a token with the new credentials, at the profile's own address. */
  async #try(name: string, clientId: string, secret: string): Promise<void> {
    this.reportedProfile = name
    const credentials = {kind: 'client', clientId, secret: () => Promise.resolve(secret)} as const
    const client = await this.clientFor(name, credentials)
    try {
      await testTarget(client, credentials, this.io.clock)
    } finally {
      await client.close()
    }
  }
}
