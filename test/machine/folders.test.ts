import {lstatSync, mkdirSync, symlinkSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {type Doing, login, query, tryRows} from './trial.js'

/** A file of profiles with these bytes. */
const profiles = (text: string | Buffer): Doing => ({
  prepare: (home) => {
    mkdirSync(join(home, '.config', 'frontdesk'), {recursive: true, mode: 0o700})
    writeFileSync(join(home, '.config', 'frontdesk', 'profiles.json'), text, {mode: 0o600})
  },
  words: ['profiles', 'list'],
})
const mine = '{"profiles":{"mine":{"apiUrl":"https://api.shop.test","projectKey":"shop"}}}'

tryRows('folders and environment', [
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
  {
    report: 'npm/npm#10983, openclaw/openclaw#73676',
    does: 'a current folder that was removed',
    done: {shell: 'mkdir gone; cd gone; rmdir ../gone; "$@"'},
    code: 0,
    same: true,
  },
  {
    report: 'Unitech/pm2#4508, vercel/vercel#3326',
    does: '--out in a current folder that was removed',
    done: {shell: 'mkdir gone; cd gone; rmdir ../gone; "$@"', words: [...query, '--out', 'result']},
    code: 2,
    says: /The current folder: there is no such file or folder/,
  },
  {
    report: 'yo8192/fcron#25',
    does: '/dev/null for a HOME',
    done: {env: {HOME: '/dev/null'}},
    code: 0,
    same: true,
  },
  {
    report: 'lxc/incus#422, notaryproject/notary#1318',
    does: 'a HOME that does not exist',
    done: {env: {HOME: '/nonexistent'}},
    code: 0,
    same: true,
  },
  {
    report: 'neighbour of clicon/clixon#653',
    does: 'a file where XDG_CONFIG_HOME and XDG_CACHE_HOME name folders',
    done: {env: {XDG_CONFIG_HOME: '/etc/passwd', XDG_CACHE_HOME: '/dev/null'}},
    code: 0,
    same: true,
  },
  {
    report: 'johnlindquist/cursor-history#5, oclif/core#486',
    does: 'NODE_ENV=development beside a tsconfig.json of others',
    done: {
      prepare: (home) => writeFileSync(join(home, 'tsconfig.json'), '{'),
      env: {NODE_ENV: 'development', OCLIF_TS_NODE: '1'},
    },
    code: 0,
    same: true,
    silent: /typescript|Warning/i,
  },
  {
    report: 'microsoft/playwright-cli#274, B3Pay/ic-reactor#665',
    does: 'profiles that begin with a byte order mark',
    done: profiles(`\uFEFF${mine}`),
    code: 0,
    says: /mine/,
  },
  {
    report: 'angular/angular-cli#3970',
    does: 'profiles in UTF-16',
    done: profiles(Buffer.from(`\uFEFF${mine}`, 'utf16le')),
    code: 13,
    says: /profiles\.json is not a JSON object/,
  },
  {
    report: 'neighbour of tradesdontlie/tradingview-mcp#419',
    does: 'profiles that are empty, or cut',
    done: profiles(mine.slice(0, 20)),
    code: 13,
    says: /profiles\.json is not a JSON object/,
  },
  {
    report: 'twpayne/chezmoi#3517',
    does: 'a ~/.config that is a link to another disk',
    done: {
      prepare: (home) => {
        mkdirSync(join(home, 'elsewhere'))
        symlinkSync('elsewhere', join(home, '.config'))
      },
      words: login,
    },
    code: 0,
    after: (home) => expect(lstatSync(join(home, 'elsewhere', 'frontdesk', 'profiles.json')).isFile()).to.equal(true),
  },
  {
    report: 'neighbour of twpayne/chezmoi#3517',
    does: 'profiles that are a link, which nothing replaces',
    done: {
      prepare: (home) => {
        mkdirSync(join(home, '.config', 'frontdesk'), {recursive: true, mode: 0o700})
        writeFileSync(join(home, 'dotfile.json'), mine, {mode: 0o600})
        symlinkSync(join(home, 'dotfile.json'), join(home, '.config', 'frontdesk', 'profiles.json'))
      },
      words: login,
    },
    code: 13,
    says: /profiles\.json is not a regular file/,
    after: (home) =>
      expect(lstatSync(join(home, '.config', 'frontdesk', 'profiles.json')).isSymbolicLink()).to.equal(true),
  },
])
