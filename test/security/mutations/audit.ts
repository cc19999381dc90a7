import {type MutationGroup, of} from './mutation.js'

/** What of the audit log can be cut without anybody seeing it. */

const chain = of('src/cli/safety/audit-chain.ts')
const audit = of('src/cli/safety/audit.ts')
const verify = of('commands/audit/verify.ts')

export const audits: MutationGroup = {
  folders: ['test/cli/safety'],
  tests: ['cli/safety/audit-cut', 'cli/safety/audit-power-cut', 'cli/safety/files'],
  mutations: [
    chain('a log without its head is whole', 'headMissing || (vouched', '(vouched'),
    chain('the last line needs nobody who vouches for it', ' || (vouched && !vouched.includes(previous))', ''),
    chain('an adoption covers whatever stands before it', ' && line.adopts === digestOf(texts.slice(0, index))', ''),
    audit(
      'the next write heals a log that was cut',
      ': predecessor(folder, last)',
      ': last === undefined ? start : hashOf(last.text)',
    ),
    audit('the next write heals a log that was emptied', 'return vouched?.[0] ?? start', 'return start'),
    audit(
      'a line without its end heals what was cut before it',
      '!last.isWhole && parsedLine(last.text) === undefined',
      '!last.isWhole',
    ),
    audit('the head vouches for the line before the last for ever', 'truncateSync(headFile(folder), hashLength)', ''),
    audit(
      'a line is on disk before the head that vouches for it',
      '`${hashOf(text)} ${previous}\\n`',
      '`${previous}\\n`',
    ),
    verify('a hash that was kept counts for nothing', 'kept !== undefined && !found.hashes.has(kept)', 'false'),
    verify('a cut log is adopted without a word', 'if (!adopt) throw broken(folder, found)', ''),
  ],
}
