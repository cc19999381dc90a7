import {execFileSync} from 'node:child_process'
import {isRoot, query, tryRows} from './trial.js'

const local = {FRONTDESK_API_URL: undefined, FRONTDESK_CLIENT_ID: undefined, FRONTDESK_CLIENT_SECRET: undefined}
const exec = (...program: string[]) => ({env: local, words: ['server', 'exec', '--', ...program]})
/** A server, and what is done to it once it listens. */
const served = (then: string, before = '') => ({
  env: local,
  shell: `${before} "$@" > out & p=$!; until [ -s out ]; do sleep 0.05; done; ${then}; wait $p`,
  words: ['server', 'start', '--port', '0', '--json'],
})

function canBeFirst(): boolean {
  try {
    execFileSync('unshare', ['-pf', 'true'], {stdio: 'ignore'})
    return isRoot
  } catch {
    return false
  }
}
const first = canBeFirst()

tryRows('signals and children', [
  {report: 'toddbluhm/env-cmd#39', does: 'a program that ends with a code', done: exec('sh', '-c', 'exit 3'), code: 3},
  {
    report: 'kentcdodds/cross-env#150, entropitor/dotenv-cli#60',
    does: 'a program that is killed',
    done: exec('sh', '-c', 'kill -9 $$'),
    code: 137,
  },
  {
    report: 'pgrundev/pgbot#84, openai/codex#24556',
    does: 'a program that ends by SIGTERM of its own',
    done: exec('sh', '-c', 'kill -TERM $$'),
    code: 143,
  },
  {
    report: 'neighbour of toddbluhm/env-cmd#39',
    does: 'a program that is not there',
    done: exec('no-such-program'),
    code: 2,
    says: /no-such-program cannot be run/,
  },
  {
    report: 'tinylibs/tinyexec#138, haskell/process#70',
    does: 'a program that leaves another one with its stdout',
    done: {
      ...exec('sh', '-c', 'sleep 600 & echo $!'),
      shell: 'timeout 300 "$@" > out; code=$?; kill "$(cat out)"; exit $code',
    },
    code: 0,
  },
  {
    report: 'nodejs/node#56441, electron/electron#33188, firedancer-io/firedancer#3925',
    does: 'SIGUSR1, which logrotate sends, at a server',
    done: served('kill -USR1 $p; sleep 0.3; kill -TERM $p'),
    code: 143,
    silent: /Debugger/,
  },
  {
    report: 'att/ast#187',
    does: 'SIGINT at a server that a script has started in the background',
    done: served('kill -INT $p', 'trap "" INT;'),
    code: 130,
  },
  {
    report: 'nodejs/docker-node#5, nodejs/node-v0.x-archive#9131',
    does: 'SIGTERM at a server that is the first process',
    done: () => (first ? served('kill -TERM $(cat /proc/$p/task/$p/children)', 'unshare -pf') : undefined),
    code: 143,
  },
  {
    report: 'neighbour of nodejs/docker-node#5',
    does: 'SIGTERM before anything has begun',
    done: {env: local, shell: '"$@" & kill -TERM $!; wait $!', words: query},
    code: 143,
  },
  {
    report: 'QwenLM/qwen-code#4366, viplismism/rlm-cli#4',
    does: 'many requests under one signal',
    done: {env: local, words: ['messages', 'tail', '--every', '1ms', '--for', '2s']},
    code: 0,
    silent: /Warning/,
  },
  {
    report: 'none',
    does: 'Ctrl-Z and fg',
    done: {shell: '"$@" > out & kill -STOP $!; sleep 0.2; kill -CONT $!; wait $! && cat out'},
    code: 0,
    same: true,
  },
])
