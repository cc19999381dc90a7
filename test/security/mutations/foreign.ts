import {type MutationGroup, of} from './mutation.js'

/** What is shown, kept and believed of the answers of other servers. */

const shown = of('src/client/transports/foreign-answer.ts')
const kept = of('src/client/session/token-cache.ts')
const made = of('src/client/creation.ts')

export const foreign: MutationGroup = {
  folders: ['test/client'],
  tests: ['client/answers', 'client/token-answers', 'client/settle'],
  mutations: [
    shown(
      'an answer that is shown repeats a secret',
      'return all.reduce((shown, secret) => shown.replaceAll(secret, hidden), text)',
      'return text',
    ),
    kept('a kept token serves another secret', 'proof === proofOf(accessToken, secret)', 'proof !== secret'),
    made('what another client made counts as ours', 'if (others || !isSince(', 'if (!isSince('),
  ],
}
