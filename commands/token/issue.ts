import {Flags} from '@oclif/core'
import type {Calls} from '../../src/cli/command/operations.js'
import {scopesOfNamed} from '../../src/cli/command/scopes.js'
import {passwordFlags, secretOf} from '../../src/cli/input/secret-inputs.js'
import {issuedTokenView} from '../../src/cli/output/views.js'
import {usage} from '../../src/cli/process/failure.js'
import {flows, type IssuedToken, issueToken, scopeText} from '../../src/cli/tokens/issue.js'
import {issuerOf, saveSession, sessionOf} from '../../src/cli/tokens/sessions.js'
import {TokenCommand} from '../../src/cli/tokens/token-command.js'
import {tokenFlags} from '../../src/cli/tokens/token-input.js'

export default class TokenIssue extends TokenCommand<typeof TokenIssue> {
  static override shows = 'installation' as const
  static override operations: Calls = [
    'requestToken',
    {operations: ['requestAnonymousToken'], when: '--flow anonymous'},
    {operations: ['requestCustomerToken', 'requestCustomerTokenInStore'], when: '--flow password'},
  ]
  static override summary = 'Issue an access token'
  static override description =
    'Requests it with the API client of the target. The password flow is for a customer, the anonymous flow for a visitor; both also return a refresh token.'
  static override examples = [
    '<%= config.bin %> token issue --for "customers get" --print header',
    '<%= config.bin %> token issue --flow password --email ada@example.com --password-file secret.txt --save ada',
    '<%= config.bin %> token issue --flow refresh --saved ada --json',
  ]
  static override flags = {
    flow: Flags.option({options: flows, default: 'client', summary: 'How the token is obtained.'})(),
    scope: Flags.string({
      helpValue: 'SCOPE',
      multiple: true,
      multipleNonGreedy: true,
      summary: 'Scope, with or without the project key (repeatable); all scopes of the client if absent.',
    }),
    for: Flags.string({
      helpValue: '"COMMAND"',
      exclusive: ['scope'],
      summary: 'Request the scopes that this command needs.',
    }),
    email: Flags.string({helpValue: 'ADDRESS', summary: 'The customer, for --flow password.'}),
    ...passwordFlags,
    'anonymous-id': Flags.string({
      helpValue: 'ID',
      summary: 'Id of the anonymous session, for --flow anonymous; generated if absent.',
    }),
    ...tokenFlags,
    save: Flags.string({helpValue: 'NAME', summary: 'Save the token as a session for --saved and --as-session.'}),
    print: Flags.option({
      options: ['raw', 'json', 'header', 'env'] as const,
      exclusive: ['json', 'output'],
      summary: 'Print only the token, in a form for scripts.',
    })(),
  }

  async run(): Promise<void> {
    const {flow, save, print} = this.flags
    const {projectKey} = this.resolved.target
    const named = this.flags.for === undefined ? undefined : await scopesOfNamed(this.flags.for, this.config)
    const wanted = named?.scopes ?? this.flags.scope
    const request = {
      flow,
      scope: scopeText(wanted, projectKey),
      anonymousId: this.flags['anonymous-id'],
      ...(await this.#secrets()),
    }
    const token = await this.effect({
      at: 'machine',
      plan: () => [{flow, scope: request.scope ?? null, save: save ?? null}, `would issue a token by the ${flow} flow`],
      act: async () => {
        const issued = await issueToken(await this.client(), request)
        if (save !== undefined) this.#save(save, issued)
        return issued
      },
    })
    if (!token) return
    if (save !== undefined && print === undefined) await this.#showSaved(save, token)
    else if (print === undefined) await this.output.document(token, issuedTokenView)
    if (print !== undefined) await this.output.text(printed(token, print))
  }

  #session(token: IssuedToken) {
    return sessionOf(token, {flow: this.flags.flow, now: this.io.clock(), place: issuerOf(this.resolved)})
  }

  #save(name: string, token: IssuedToken): void {
    saveSession(this.folders.cache, name, this.#session(token))
    this.say(`saved as ${name}`)
  }

  /** Prints the tokens of a saved session only if an output format is asked for. */
  async #showSaved(name: string, token: IssuedToken): Promise<void> {
    const {json, output, fields} = this.flags
    const session = this.#session(token)
    if (json || output !== undefined || fields !== undefined) await this.output.document(token, issuedTokenView)
    else
      await this.output.sentence(
        `${name} is valid until ${new Date(session.expiresAt).toISOString()}, for ${session.scope}`,
      )
  }

  async #secrets(): Promise<{email?: string; password?: string; refreshToken?: string}> {
    if (this.flags.flow === 'refresh') {
      return {refreshToken: await this.readToken('refresh')}
    }
    if (this.flags.flow !== 'password') return {}
    const email = this.flags.email ?? (await this.ask.text('Email of the customer:', '--email'))
    if (email.trim() === '') throw usage('The email is empty.', 'Add --email ADDRESS.')
    const password = await secretOf(this, 'password', 'Password:')
    return {email, password}
  }
}

function printed(token: IssuedToken, form: 'raw' | 'json' | 'header' | 'env'): string {
  switch (form) {
    case 'raw':
      return `${token.access_token}\n`
    case 'header':
      return `Authorization: Bearer ${token.access_token}\n`
    case 'env':
      return `export FRONTDESK_TOKEN=${token.access_token}\n`
    case 'json':
      return `${JSON.stringify(token, null, 2)}\n`
  }
}
