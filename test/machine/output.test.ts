import {hasPty} from '../e2e/pty.js'
import {query, tryRows} from './trial.js'

/** More than a pipe holds. */
const others = Array.from({length: 19}, (_, at) => ({
  key: `other-${at}`,
  email: `other-${at}@example.com`,
  companyName: 'x'.repeat(5_000),
}))
const nobody = ['customers', 'get', 'key=nobody']
const pty = hasPty()

tryRows(
  'output that is cut short',
  [
    {
      report: 'apify/mcpc#17, automagik-dev/omni#402, shaharia-lab/slackcli#73',
      does: 'more than a pipe holds, into a pipe',
      done: {
        shell: 'set -o pipefail; "$@" > whole; [ "$(wc -c < whole)" -gt 65536 ] && "$@" | cat | cmp - whole',
        words: query,
      },
      code: 0,
    },
    {
      report: 'go-to-k/cdk-real-drift#866',
      does: 'more than a pipe holds, and a reader that begins late',
      done: {shell: 'set -o pipefail; "$@" > whole; "$@" | { sleep 0.3; cmp - whole; }', words: query},
      code: 0,
    },
    {
      report: 'datakurre/graph-agent#41, nodejs/node-v0.x-archive#9279',
      does: 'a reader that ends after a line',
      done: {shell: 'set -o pipefail; "$@" | head -1', words: query},
      code: 141,
      silent: /Error|EPIPE/,
    },
    {
      report: 'vercel/vercel#17528, objectstack-ai/objectstack#15558',
      does: 'a reader of stderr that is gone',
      done: {shell: '"$@" 2> >(exit)', words: nobody},
      code: 3,
    },
    {
      report: 'notatallshaw/nab#990',
      does: 'no stderr',
      done: {shell: '"$@" 2>&-', words: nobody},
      code: 3,
    },
    {
      report: 'Yeachan-Heo/gajae-code#3810, sharkdp/fd#737',
      does: 'a stdout that is open for reading alone',
      done: {shell: '"$@" 1< /dev/null', words: ['customers', 'query']},
      code: 13,
      says: /The output cannot be written: it is not open for writing/,
      silent: /bug/,
    },
    {
      report: 'neighbour of uutils/coreutils#11122',
      does: 'a stdout that is a folder',
      done: {shell: '"$@" 1< .', words: ['customers', 'query']},
      code: 13,
      says: /The output cannot be written/,
    },
    {
      report: 'jainal09/envdrift#333, treeverse/dvc#10430',
      does: 'FORCE_COLOR with --json',
      done: {env: {FORCE_COLOR: '1', CLICOLOR_FORCE: '1'}},
      code: 0,
      same: true,
    },
    {
      report: 'max-sixty/tend#220, cli/cli#13121',
      does: 'NO_COLOR with FORCE_COLOR',
      done: {env: {FORCE_COLOR: '1', CLICOLOR_FORCE: '1', NO_COLOR: '1'}, words: ['customers', 'query']},
      code: 0,
      says: /ada/,
      silent: /\u001B/,
    },
    {
      report: 'linode/linode-cli#643, platformsh/cli#29',
      does: 'a warning beside --json',
      done: {env: {TMPDIR: 'relative'}, words: query},
      code: 0,
      same: true,
      says: /TMPDIR is relative/,
    },
    {
      report: 'semgrep/semgrep#9630, TPC-Council/HammerDB#289',
      does: 'a terminal without columns',
      done: () =>
        pty
          ? {shell: 'script -qec "stty cols 0 rows 0; $(printf "%q " "$@")" /dev/null', words: ['customers', 'query']}
          : undefined,
      code: 0,
      says: /ada/,
    },
  ],
  others,
)
