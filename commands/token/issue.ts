import {Flags} from '@oclif/core'
import {BaseCommand} from '../../src/cli/command/base-command.js'
import {scopesOfNamed} from '../../src/cli/command/scopes.js'
import {defaultFlag, textFlag, textsFlag} from '../../src/cli/input/flags.js'
import {passwordFlags, secretOf} from '../../src/cli/input/secret-inputs.js'
import {checkSecretOutput, secretOutputFlags, shownResult} from '../../src/cli/input/secret-output.js'
import {issuedTokenView} from '../../src/cli/output/views.js'
import {usage} from '../../src/cli/process/failure.js'
import {expiryOf, flows, type IssuedToken, issueToken, orOtherClient, scopeText} from '../../src/cli/tokens/issue.js'
import {issuerOf, type SavedSession, saveSession} from '../../src/cli/tokens/sessions.js'
import {tokenFlags, tokenFromInput} from '../../src/cli/tokens/token-input.js'
import {clientIdOf} from '../../src/client/target.js'
import {defined} from '../../src/domain/equal.js'

/** A token in the forms of `--print`. */
const printed = {
  raw: ({access_token: token}: IssuedToken) => token,
  json: (token: IssuedToken) => JSON.stringify(token, null, 2),
  header: ({access_token: token}: IssuedToken) => `Authorization: Bearer ${token}`,
  env: ({access_token: token}: IssuedToken) => `export FRONTDESK_TOKEN=${token}`,
} as const

const flowOf: Readonly<Record<string, string>> = {
  ...{email: 'password', 'password-stdin': 'password', 'password-file': 'password'},
  ...{'anonymous-id': 'anonymous', 'token-file': 'refresh', saved: 'refresh'},
}

export default class TokenIssue extends BaseCommand<typeof TokenIssue> {
  static override shows = 'installation' as const
  static override operations = [
    'requestToken',
    {operations: ['requestAnonymousToken'], when: '--flow anonymous'},
    {operations: ['requestCustomerToken', 'requestCustomerTokenInStore'], when: '--flow password'},
  ] as const
  static override summary = 'Issue an access token'
  static override description =
    'Uses the API client of the target, which has to hold each requested scope by name: a scope that includes it does not do. The password flow signs in a customer, the anonymous flow is for a visitor; both also return a refresh token.'
  static override examples = [
    '<%= config.bin %> token issue --for "customers get" --print header --show-secret',
    '<%= config.bin %> token issue --flow password --email ada@example.com --password-file secret.txt --save ada',
    '<%= config.bin %> token issue --flow refresh --saved ada --secret-out token.txt --json',
  ]
  static override flags = {
    flow: defaultFlag(flows, 'client', 'OAuth flow.'),
    scope: textsFlag(
      'SCOPE',
      'Scope, with or without the project key (repeatable); all scopes of the client if absent.',
    ),
    for: textFlag('"COMMAND"', 'Request the scopes that this command needs.', {exclusive: ['scope']}),
    email: textFlag('ADDRESS', 'The customer, for --flow password.'),
    ...passwordFlags,
    'anonymous-id': textFlag('ID', 'Id of the anonymous session, for --flow anonymous; generated if absent.'),
    ...tokenFlags,
    ...secretOutputFlags('token'),
    save: textFlag('NAME', 'Save the token as a session for --saved and `--as session:NAME`.'),
    print: Flags.option({
      options: Object.keys(printed) as (keyof typeof printed)[],
      exclusive: ['json', 'output'],
      summary: 'Print only the token, in a form for scripts.',
    })(),
  }

  async run(): Promise<void> {
    const {flow, save, print} = this.flags
    const {projectKey} = this.resolved.target
    const named = this.flags.for === undefined ? undefined : await scopesOfNamed(this.flags.for, this.config)
    const wanted = named?.scopes ?? this.flags.scope
    this.#checkFlow()
    this.#checkOutput()
    const request = {
      flow,
      scope: scopeText(wanted, projectKey),
      anonymousId: this.flags['anonymous-id'],
      ...(await this.#secrets()),
    }
    const issued = await this.effect({
      at: 'machine',
      plan: () => [{flow, scope: request.scope ?? null, save: save ?? null}, `would issue a token by the ${flow} flow`],
      act: async () => {
        const token = await issueToken(await this.client(), request).catch(orOtherClient(request.scope))
        if (save !== undefined) {
          saveSession(this.folders.cache, save, this.#session(token))
          this.say(`saved as ${save}`)
        }
        const secret = printed[print ?? 'raw'](token)
        return {token, shown: shownResult(token, secret, ['access_token', 'refresh_token'], this)}
      },
    })
    if (!issued) return
    const {token, shown} = issued
    if (!this.#printsToken) {
      const until = new Date(this.#session(token).expiresAt).toISOString()
      await this.output.sentence(`${save} is valid until ${until}, for ${token.scope}`)
    } else if (print === undefined || shown !== token) await this.output.document(shown, issuedTokenView)
    else await this.output.text(`${printed[print](token)}\n`)
  }

  /** A saved session is printed only if a form of output is asked for. */
  get #printsToken(): boolean {
    const {save, print, json, output, fields} = this.flags
    return save === undefined || print !== undefined || json || output !== undefined || fields !== undefined
  }

  /** Refuses a flag of another flow: the token would be somebody else's than the caller means. */
  #checkFlow(): void {
    const other = Object.keys(flowOf).find((name) => this.given.has(name) && flowOf[name] !== this.flags.flow)
    if (other === undefined) return
    throw usage(
      `--${other} has no effect in the ${this.flags.flow} flow.`,
      `Add --flow ${flowOf[other]}, or leave it out.`,
    )
  }

  #checkOutput(): void {
    if (this.#printsToken || this.flags['secret-out'] !== undefined) checkSecretOutput(this, 'stdout')
    else if (this.flags['show-secret']) {
      throw usage('A saved token is not printed.', 'Add --print or --json, or leave out --show-secret.')
    }
  }

  #session(token: IssuedToken): SavedSession {
    const {credentials} = this.resolved.target
    const clientId = credentials && clientIdOf(credentials)
    return {
      accessToken: token.access_token,
      ...defined({refreshToken: token.refresh_token, clientId}),
      scope: token.scope,
      expiresAt: expiryOf(token, this.io.clock()),
      flow: this.flags.flow,
      place: issuerOf(this.resolved),
    }
  }

  async #secrets(): Promise<{email?: string; password?: string; refreshToken?: string}> {
    if (this.flags.flow === 'refresh') {
      return {refreshToken: await tokenFromInput(this, this.args.source, 'refresh')}
    }
    if (this.flags.flow !== 'password') return {}
    const email = this.flags.email ?? (await this.ask.text('Email of the customer:', '--email'))
    if (email.trim() === '') throw usage('The email is empty.', 'Add --email ADDRESS.')
    const password = await secretOf(this, 'password', 'Password:')
    return {email, password}
  }
}
