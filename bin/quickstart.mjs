#!/usr/bin/env node
// The main job in a minute, on a state of its own: import customers, look, find, change, reset a password, sign in.
import {spawnSync} from 'node:child_process'
import {randomBytes} from 'node:crypto'
import {mkdirSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const state = join(root, '.frontdesk', 'quickstart')
const run = join(root, 'bin', 'run.js')

rmSync(state, {recursive: true, force: true})
mkdirSync(state, {recursive: true, mode: 0o700})

const shell = (word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)

/** Shows a command as a person would type it, runs it, and ends everything if it fails. */
function frontdesk(words) {
  console.log(`\n$ frontdesk ${words.map(shell).join(' ')}`)
  const {status, error} = spawnSync(process.execPath, [run, ...words], {
    cwd: root,
    env: {...process.env, FRONTDESK_DATA_DIR: state, FRONTDESK_PROFILE: 'local'},
    // The width of the tables is that of this terminal.
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (error) throw error
  if (status !== 0) {
    console.error(`\nThe command ended with code ${status}.`)
    process.exit(status ?? 1)
  }
}

const say = (text) => console.log(`\n# ${text}`)

say('A demo shop in an embedded server: stores, groups, products, carts, quotes, a few customers')
frontdesk(['server', 'seed', 'demo'])

say('Three hundred customers from a spreadsheet with headers of its own')
const rows = 'fixtures/customers/shop-export.csv'
const map = ['--map-file', 'fixtures/customers/shop-export.map.json', '--password-mode', 'external-auth']
frontdesk(['customers', 'import', rows, ...map])

say('Once more: nothing has changed, so nothing is sent')
frontdesk(['customers', 'import', rows, ...map])

say('Some of them')
frontdesk(['customers', 'query', '--where', 'addresses(country = "DE")', '--sort', 'lastName', '--limit', '5'])

say('One of them')
frontdesk(['customers', 'find', 'hazel'])

const person = 'hazel.brandvold@example.com'
say('What a change would do, and then the change')
frontdesk(['customers', 'update', person, '--set', 'companyName=Brandvold & Sons', '--dry-run'])
frontdesk(['customers', 'update', person, '--set', 'companyName=Brandvold & Sons'])

say('A new password, from a file as nothing secret belongs on a command line')
const secret = join(state, 'new-password')
writeFileSync(secret, randomBytes(12).toString('base64url'), {mode: 0o600})
frontdesk(['customers', 'reset-password', person, '--set', '--new-password-file', secret])

say('It works')
frontdesk(['customers', 'sign-in', person, '--check-only', '--password-file', secret])
rmSync(secret)

say(`Done. The state is in ${state}; look around with:`)
console.log(`\n  export FRONTDESK_DATA_DIR=${shell(state)}`)
console.log(
  '  node bin/run.js desk        # type hazel, Enter, and an action by its letter\n  frontdesk desk              # the same, once the command is installed',
)
