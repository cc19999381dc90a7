import {Flags} from '@oclif/core'
import {callbackSteps} from '../../src/cli/check/callback.js'
import {CheckCommand} from '../../src/cli/check/check-command.js'
import {checkEndpoint, measureFlags} from '../../src/cli/check/endpoint.js'
import {apiKeyFromFlags, keyFlags} from '../../src/cli/input/endpoint-secrets.js'
import {requiredArg, textFlag} from '../../src/cli/input/flags.js'
import {durationMs} from '../../src/cli/process/durations.js'
import {checkedUrl} from '../../src/cli/target/addresses.js'
import type {Subject} from '../../src/cli/target/subject.js'

export default class CallbackCheck extends CheckCommand<typeof CallbackCheck> {
  static override shows = 'installation' as const
  static override summary = 'Check a callback endpoint as an in-store application uses it'
  static override description =
    `Sends requests with the right key, a wrong one, none and two, with known, unknown and hostile ids, and with another method,
and measures the answers. Requires https, except on this machine; follows no redirects; reads up to 64 KiB for up to 5 s. Ends
with code 9 and lists what failed. A run sends four wrong keys.`
  static override examples = [
    '<%= config.bin %> callback check http://127.0.0.1:8080/cb --user hazel-brandvold --api-key-file callback.key',
  ]
  static override args = {url: requiredArg('address of the endpoint, without /<userKey>')}
  static override flags = {
    ...keyFlags,
    user: Flags.string({required: true, helpValue: 'KEY', summary: 'A user that the endpoint knows.'}),
    cart: textFlag('ID', 'A cart that the endpoint knows.'),
    ...measureFlags,
    'max-p95': Flags.string({helpValue: '2s', default: '2s', summary: 'Longest time that 95 of 100 answers may take.'}),
  }

  override get subject(): Subject {
    return {address: this.args.url}
  }

  async run(): Promise<void> {
    const {user, cart, requests} = this.flags
    const url = checkedUrl(this.args.url, 'The URL of the callback')
    const maxP95Ms = durationMs(this.flags['max-p95'], '--max-p95')
    const flag = '--api-key-file, --api-key-stdin or FRONTDESK_CALLBACK_API_KEY'
    const key =
      (await apiKeyFromFlags(this.flags, this.io)) ?? (await this.ask.hidden('API key of the callback:', flag))
    await this.report('callback', await checkEndpoint(callbackSteps, {url, key, user, cart, requests, maxP95Ms}))
  }
}
