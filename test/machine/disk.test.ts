import {execFileSync} from 'node:child_process'
import {chmodSync, mkdirSync, readdirSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {rounds} from '../rounds.js'
import {type Doing, isRoot, login, query, type Row, tryRows} from './trial.js'

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

function canMount(): boolean {
  try {
    execFileSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], {stdio: 'ignore'})
    return isRoot
  } catch {
    return false
  }
}
const mounts = canMount()

/** Runs the command with a small file system at a folder of its home. */
const mounted =
  (folder: string, options: string, words: readonly string[] = query): Row['done'] =>
  (): Doing | undefined =>
    mounts
      ? {
          prepare: (home) => mkdirSync(join(home, folder)),
          shell: `exec unshare -m bash -c 'mount -t tmpfs -o ${options} tmpfs "$HOME/${folder}" && exec "$@"' bash "$@"`,
          words,
        }
      : undefined

/** Writes a file of profiles as another tool, or another user, may leave it. */
const profiles = (mode: number) => (home: string) => {
  mkdirSync(join(home, '.config', 'frontdesk'), {recursive: true})
  writeFileSync(join(home, '.config', 'frontdesk', 'profiles.json'), '{"profiles":{}}', {mode})
}

tryRows('disk and permissions', [
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
    report: 'neighbour of globus/globus-cli#25',
    does: 'umask 077',
    done: {shell: 'umask 077; "$@"', words: login},
    code: 0,
    after: (home) => expect(modesBelow(home)).to.deep.equal([]),
  },
  {
    report: 'npm/npm#17702, npm/npm#8056',
    does: 'a cache that belongs to root since somebody used sudo',
    done: {
      uid: 54_321,
      prepare: (home) => mkdirSync(join(home, '.cache', 'frontdesk'), {recursive: true, mode: 0o700}),
    },
    code: 0,
    same: true,
  },
  {
    report: 'neighbour of npm/npm#8056',
    does: 'profiles that belong to root since somebody used sudo',
    done: {uid: 54_321, prepare: profiles(0o600), words: ['profiles', 'list']},
    code: 13,
    says: /profiles\.json/,
    silent: /bug/,
  },
  {
    report: 'neighbour of aws/aws-cli#7369',
    does: 'profiles that a group may read',
    done: {prepare: profiles(0o640), words: ['profiles', 'list']},
    code: 13,
    says: /chmod 600/,
  },
  {
    report: 'cvmfs/cvmfs#3083, ClickHouse/ClickHouse#39106',
    does: 'a full disk for what is only kept',
    done: mounted('.cache', 'size=4k'),
    code: 0,
    same: true,
  },
  {
    report: 'eslint/eslint#11946, aws/aws-cdk#7737, oclif/plugin-warn-if-update-available#280',
    does: 'a read-only disk for what is only kept',
    done: mounted('.cache', 'ro'),
    code: 0,
    same: true,
  },
  {
    report: 'rigoudyg/climaf#130',
    does: 'a file in place of the folder for what is only kept',
    done: {prepare: (home) => writeFileSync(join(home, '.cache'), '')},
    code: 0,
    same: true,
  },
  {
    report: 'npm/npm#5462',
    does: '--out on a read-only disk',
    done: mounted('out', 'ro', [...query, '--out', 'out/result']),
    code: 2,
    says: /the file system is read-only.*Nothing was sent/s,
  },
  {
    report: 'neighbour of npm/npm#5462',
    does: 'a disk with blocks, and without a number for another file',
    done: mounted('.config', 'nr_inodes=2', login),
    code: 13,
    says: /no space is left on the disk/,
  },
  {
    report: 'none',
    does: '--out with a name of 300 bytes',
    done: {words: [...query, '--out', 'x'.repeat(300)]},
    code: 2,
    says: /the name is too long/,
  },
])
