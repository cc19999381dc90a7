import {type MutationGroup, of} from './mutation.js'

/** Tokens for a mailing, customers who are only at the target, and how far changes were read. */

const links = of('src/transfer/write/reset-links.ts')
const file = of('src/transfer/files/private-table.ts')
const prune = of('commands/customers/diff.ts')
const watermark = of('src/transfer/output/watermark.ts')
const since = of('src/cli/bulk/since.ts')

export const syncs: MutationGroup = {
  tests: ['transfer/write/reset-links', 'cli/bulk/prune', 'cli/bulk/since'],
  mutations: [
    links('a resumed run loses tokens', " || (isIntended && outcome.outcome !== 'skipped')"),
    links('a resumed run doubles tokens', ' || customers.has(outcome.id)'),
    links('customers with a password of their own get tokens', ' || !lacksPassword(draft)'),
    links(
      'a refused token is passed over',
      'if (!isOfRow(error)) throw',
      'if (isOfRow(error)) return outcome\n        throw',
    ),
    file('a file of something else is overwritten', 'await appendable(path, resumed)', 'await appendable(path, true)'),
    file('others can read the tokens', '  await file.chmod(0o600)\n', '  await file.chmod(0o644)\n'),
    file('a cut line stays', '  if (end < length) await file.truncate(size - length + end)\n'),
    prune('more are deleted than may be', 'found.length > flags.max', 'found.length > flags.max + 9'),
    prune('rows of something else delete everybody', 'create === read', 'create < 0'),
    prune('uncertain rows delete somebody', 'if (invalid + conflict === 0) return', 'if (invalid >= 0) return'),
    prune('customers whom rows mean are deleted', 'if (meant.has(customer.id)) continue'),
    watermark('what changes behind the walk is never read', 'Math.min(this.#beganAt, this.#latest)', 'this.#latest'),
    since('failed rows are never read again', 'if (failed > 0) {', 'if (failed < 0) {'),
    since(
      'changes that no run has read are passed over',
      'const leavesGap = !this.#isLast && ',
      'const leavesGap = this.#isLast && ',
    ),
  ],
}
