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

process.chdir(root)
rmSync(state, {recursive: true, force: true})
mkdirSync(state, {recursive: true, mode: 0o700})

/** A command line for a shell, in lines of at most 80 columns. */
function commandLine(words) {
  const lines = ['$ frontdesk']
  for (const word of words.map(shell)) {
    if (lines.at(-1).length + word.length + 3 <= 80) lines.push(`${lines.pop()} ${word}`)
    else lines.push(`    ${word}`)
  }
  return lines.join(' \\\n')
}

const shell = (word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)

/** Shows a command as a person would type it, runs it, and ends everything if it fails. */
function frontdesk(words) {
  console.log(`\n${commandLine(words)}`)
  const {status, error} = spawnSync(process.execPath, [run, ...words], {
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

say('A demo shop in an embedded server, with fifteen customers')
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

say('Done. Now the desk: type hazel, press Enter, and an action by its letter')
console.log(`\n  export FRONTDESK_DATA_DIR=${shell(state)}`)
console.log('  node bin/run.js desk')
console.log('  frontdesk desk              # the same, once the command is installed')
