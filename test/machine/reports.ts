import {chmodSync, mkdirSync, readdirSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import type {RunningServer} from '../../src/index.js'
import {rounds} from '../rounds.js'

/** What hurt people with other command lines, and what is right here. */

export interface Doing {
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly words?: readonly string[]
  /** Runs the command by a line of bash: `"$@"` is the command. */
  readonly shell?: string
  readonly uid?: number
  readonly prepare?: (home: string) => void
}

export interface Row {
  /** Public reports of the case, or of one of its kind. */
  readonly report: string
  readonly does: string
  readonly done: Doing | ((place: Place) => Doing | undefined)
  /** The exit code, and what is said, with --json on stdout. */
  readonly code: number
  readonly says?: RegExp
  readonly silent?: RegExp
  /** The same output as without any of it. */
  readonly same?: true
  readonly after?: (home: string) => void
}

interface Place {
  readonly url: string
  /** At ::1 alone, if this machine has it. */
  readonly v6: RunningServer | undefined
  /** Whether localhost is both. */
  readonly hasBoth: boolean
}

const at = ({client}: RunningServer, url: string): Doing => ({
  env: {FRONTDESK_API_URL: url, FRONTDESK_CLIENT_ID: client.clientId, FRONTDESK_CLIENT_SECRET: client.clientSecret},
})

export const query = ['customers', 'query', '--json']
const proxy = (value: string): Doing => ({
  env: {HTTPS_PROXY: value},
  words: [...query, '--api-url', 'https://api.shop.test', '--auth-url', 'https://api.shop.test'],
})
/** Every file and folder of the program below a home. */
function modesBelow(home: string): string[] {
  const open: string[] = []
  for (const entry of readdirSync(home, {recursive: true, withFileTypes: true})) {
    const path = join(entry.parentPath, entry.name)
    if (path.includes('frontdesk') && (statSync(path).mode & 0o077) !== 0)
      open.push(`${path} ${statSync(path).mode.toString(8)}`)
  }
  return open
}
const login = ['login', 'shop', '--project-key', 'shop', '--api-url', 'https://api.shop.test', '--no-secret']

export const rows: readonly Row[] = [
  {
    report: 'jenkinsci/jfrog-plugin#53, minishift/minishift#2283',
    does: '# in the password of a proxy',
    done: proxy('http://clerk:hush#word@proxy.test:3128'),
    code: 2,
    says: /HTTPS_PROXY is not the address of a proxy/,
    silent: /hush/,
  },
  {
    report: 'neighbour of jenkinsci/jfrog-plugin#53',
    does: 'a proxy without http://',
    done: proxy('proxy.test:3128'),
    code: 2,
    says: /HTTPS_PROXY is not the address of a proxy/,
  },
  {
    report: 'neighbour of jenkinsci/jfrog-plugin#53',
    does: 'a proxy of another kind',
    done: proxy('socks5://clerk:hush@proxy.test:1080'),
    code: 2,
    says: /HTTPS_PROXY is not the address of a proxy/,
    silent: /hush/,
  },
  {
    report: 'neighbour of microsoft/Git-Credential-Manager-for-Windows#741',
    does: 'lower-case http_proxy with %zz, and a server on this machine',
    done: {env: {http_proxy: 'http://clerk:%zz@proxy.test:3128', https_proxy: ''}, words: query},
    code: 2,
    says: /http_proxy is not the address of a proxy/,
    silent: /%zz@/,
  },
  {
    report: 'none',
    does: 'a proxy that nobody runs, and a server on this machine',
    done: {env: {HTTP_PROXY: 'http://127.0.0.1:9', HTTPS_PROXY: 'http://127.0.0.1:9'}, words: query},
    code: 0,
    same: true,
  },
  {
    report: 'neighbour of zowe/zowe-cli#620',
    does: 'an empty --ca-file',
    done: {prepare: (home) => writeFileSync(join(home, 'ca.pem'), ''), words: [...query, '--ca-file', 'ca.pem']},
    code: 2,
    says: /ca\.pem/,
  },
  {
    report: 'neighbour of nodejs/node#55285',
    does: 'a --ca-file that is no PEM',
    done: {
      prepare: (home) => writeFileSync(join(home, 'ca.crt'), Buffer.from('308203', 'hex')),
      words: [...query, '--ca-file', 'ca.crt'],
    },
    code: 2,
    says: /ca\.crt/,
  },
  {
    report: 'neighbour of nodejs/node#10973',
    does: 'a missing file in NODE_EXTRA_CA_CERTS',
    done: {env: {NODE_EXTRA_CA_CERTS: '/no/such/file.pem'}, words: query},
    code: 0,
    same: true,
  },
  {
    report: 'geldata/gel-cli#797, checkly/checkly-cli#827',
    does: 'localhost, and a server on 127.0.0.1 alone',
    done: ({url}) => ({words: [...query, '--api-url', url.replace('127.0.0.1', 'localhost')]}),
    code: 0,
    same: true,
  },
  {
    report: 'angular/angular-cli#29028',
    does: 'localhost, and a server on ::1 alone',
    done: ({v6, hasBoth}) => (v6 && hasBoth ? at(v6, v6.apiUrl.replace('[::1]', 'localhost')) : undefined),
    code: 0,
  },
  {
    report: 'neighbour of vercel/vercel#7094',
    does: 'a server by http://[::1]',
    done: ({v6}) => v6 && at(v6, v6.apiUrl),
    code: 0,
  },
  {
    report: 'globus/globus-cli#25, aws/aws-cli#7369',
    does: 'umask 000',
    done: {shell: 'umask 000; "$@"', words: login},
    code: 0,
    after: (home) => expect(modesBelow(home)).to.deep.equal([]),
  },
  {
    report: 'neighbour of router-for-me/CLIProxyAPI#4672',
    does: 'umask 777',
    done: {shell: 'umask 777; "$@"', words: login},
    code: 0,
    after: (home) => expect(modesBelow(home)).to.deep.equal([]),
  },
  {
    report: 'n8n-io/n8n#8664, facebook/relay#2699',
    does: 'a number for a user, and no HOME',
    done: {uid: 54_321, env: {HOME: undefined, SHELL: undefined}, words: query},
    code: 0,
    same: true,
  },
  {
    report: 'anthropics/claude-code#34799, rnpgp/rnp#2213',
    does: 'reading from a home where nothing can be written',
    done: {uid: 54_321, prepare: (home) => chmodSync(home, 0o555), words: query},
    code: 0,
    same: true,
  },
  {
    report: 'gethomepage/homepage#6810',
    does: 'a login in a home where nothing can be written',
    done: {uid: 54_321, prepare: (home) => chmodSync(home, 0o555), words: login},
    code: 13,
    silent: /bug/,
  },
  {
    report: 'Azure/azure-cli#7078',
    does: 'another time zone',
    done: {env: {TZ: 'America/New_York'}, words: query},
    code: 0,
    same: true,
  },
  {
    report: 'neighbour of Azure/azure-cli#7078',
    does: 'TZ with nonsense',
    done: {env: {TZ: ':No/Such_Zone'}, words: query},
    code: 0,
    same: true,
  },
  {
    report: 'SUSE/DeepSea#688, StackStorm/st2#4127',
    does: 'LC_ALL=C',
    done: {env: {LC_ALL: 'C', LANG: 'C'}, words: query},
    code: 0,
    same: true,
  },
  {
    report: 'davidgiven/wordgrinder#263',
    does: 'a locale of Latin 1',
    done: {env: {LC_ALL: 'de_DE.ISO-8859-1'}, words: query},
    code: 0,
    same: true,
  },
  {
    report: 'none',
    does: 'many files in the folder and in that of what is temporary',
    done: {
      prepare: (home) => {
        mkdirSync(join(home, 'tmp'))
        for (let at = 0; at < rounds(500, 80_000); at += 1) writeFileSync(join(home, 'tmp', `other-${at}`), '')
      },
      shell: 'cd "$HOME/tmp"; TMPDIR="$HOME/tmp" "$@"',
      words: query,
    },
    code: 0,
    same: true,
  },
  {
    report: 'none',
    does: 'code that was kept by another V8',
    done: {shell: '"$@" >/dev/null; node=$1; shift; "$node" --no-opt "$@"', words: query},
    code: 0,
    same: true,
  },
  {
    report: 'none',
    does: 'NODE_OPTIONS with --throw-deprecation and --pending-deprecation',
    done: {env: {NODE_OPTIONS: '--throw-deprecation --pending-deprecation'}, words: query},
    code: 0,
    same: true,
  },
  {
    report: 'none',
    does: 'HOME with a blank, a quote and a letter beyond ASCII',
    done: {
      shell: 'mkdir -p "$HOME/O\'Neil ü"; HOME="$HOME/O\'Neil ü" "$@"',
      words: query,
    },
    code: 0,
    same: true,
  },
]
