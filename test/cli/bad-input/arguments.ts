import {chmodSync} from 'node:fs'
import {expect} from 'chai'
import type {Rows} from './place.js'

const create = ['customers', 'create', '--email', 'ada@example.com', '--key', 'ada']
const secretly = [...create, '--password-stdin']
const external = [...create, '--external-auth']
const get = ['customers', 'get', 'key=ada']

/** Mistakes in the command line itself. */
export const argumentRows: Rows = {
  1: [
    'an unknown command',
    async (place) => {
      expect(await place.ends(2, ['customers', 'creaet', '--email', 'ada@example.com'])).to.include('customers create')
      await place.absent('ada@example.com')
    },
  ],
  2: [
    'an unknown flag',
    async ({ends}) => {
      expect(await ends(2, [...get, '--verbos'])).to.include('--verbos')
    },
  ],
  3: [
    '--password VALUE',
    async ({ends}) => {
      for (const words of [['--password', 'hunter2'], ['--password=hunter2']]) {
        const shown = await ends(2, [...create, ...words])
        expect(shown).to.include('--password-stdin').and.include('--password-file').and.include('prompt')
        expect(shown).to.not.include('hunter2')
      }
    },
  ],
  4: [
    '--client-secret VALUE',
    async ({ends}) => {
      expect(await ends(2, [...get, '--client-secret', 'hunter2'])).to.not.include('hunter2')
    },
  ],
  5: [
    'a prompt for a password without a terminal',
    async ({ends}) => {
      expect(await ends(12, create)).to.include('--password-stdin')
    },
  ],
  6: [
    'two entries that differ',
    async (place) => {
      await place.ends(2, create, {
        answers: ['one-password', 'another-password', 'one-password', 'third-password', 'a-password', 'b-password'],
      })
      await place.absent('key=ada')
    },
  ],
  7: [
    '--password-stdin with nothing, two lines, or one line feed',
    async (place) => {
      for (const stdin of ['', '\n', 'one\ntwo\n', 'one\n\n']) await place.ends(2, secretly, {stdin})
      await place.once(0, secretly, {stdin: 'geheim-1\n'})
      const signIn = ['customers', 'sign-in', 'ada@example.com', '--password-stdin', '--check-only']
      await place.ends(0, signIn, {stdin: 'geheim-1'})
    },
  ],
  8: [
    '--password-file that is missing, a folder, or readable by others',
    async (place) => {
      const loose = place.file('loose', 'geheim')
      chmodSync(loose, 0o644)
      expect(await place.ends(2, [...create, '--password-file', '/nowhere/at/all'])).to.include('/nowhere/at/all')
      expect(await place.ends(2, [...create, '--password-file', place.desk.folder])).to.include('folder')
      expect(await place.ends(13, [...create, '--password-file', loose])).to.include(`chmod 600 ${loose}`)
    },
  ],
  9: [
    '--password-stdin together with --password-file',
    async (place) => {
      await place.ends(2, [...secretly, '--password-file', place.file('secret', 'geheim')], {stdin: 'geheim'})
    },
  ],
  10: [
    'an address with http',
    async ({ends}) => {
      expect(await ends(2, [...get, '--api-url', 'http://api.example'])).to.include('https')
    },
  ],
  11: [
    'addresses that are none, or that carry a password',
    async ({ends}) => {
      for (const url of ['file:///etc/passwd', 'javascript:alert(1)', 'https://me:hunter2@api.example', 'nonsense']) {
        expect(await ends(2, [...get, '--api-url', url])).to.not.include('hunter2')
      }
    },
  ],
  12: [
    'NODE_TLS_REJECT_UNAUTHORIZED=0',
    async (place) => {
      const env = {...place.nobody, FRONTDESK_API_URL: 'https://api.example', NODE_TLS_REJECT_UNAUTHORIZED: '0'}
      expect(await place.ends(2, get, {env})).to.include('--ca-file')
    },
  ],
  15: [
    'an unknown profile',
    async ({ends}) => {
      expect(await ends(2, [...get, '-P', 'prod'])).to.include('local')
    },
  ],
  26: [
    'a deletion in a pipe without --yes',
    async (place) => {
      await place.once(0, external)
      expect(await place.ends(12, ['customers', 'delete', 'key=ada'])).to.include('--yes')
      await place.once(0, get)
    },
  ],
  27: [
    'a wrong name in --confirm-profile or at the prompt',
    async (place) => {
      await place.once(0, ['login', 'mine', '--local', '--project-key', 'mine', '--protected'])
      await place.ends(2, [...external, '-P', 'mine', '--confirm-profile', 'other'])
      await place.ends(2, [...external, '-P', 'mine'], {answers: ['min', 'mein', 'meins']})
      await place.once(3, ['customers', 'exists', 'key=ada', '-P', 'mine'])
    },
  ],
  28: [
    'erasing without a reason where the profile wants one',
    async (place) => {
      await place.once(0, ['login', 'mine', '--local', '--project-key', 'mine', '--require-reason'])
      await place.once(0, [...external, '-P', 'mine', '--reason', 'by phone'])
      const erase = ['customers', 'delete', 'key=ada', '--erase-personal-data', '--yes', '-P', 'mine']
      expect(await place.ends(2, erase)).to.include('--reason')
      await place.once(0, [...get, '-P', 'mine'])
    },
  ],
  29: [
    'a reason that is empty, endless, or has control characters',
    async (place) => {
      for (const reason of ['', ' ', 'x'.repeat(5000)]) await place.ends(2, [...external, '--reason', reason])
      await place.once(0, [...external, '--reason', 'one\ntwo\u001b[2J'])
      const {stdout} = await place.once(0, ['audit', 'list', '-o', 'jsonl'])
      expect(stdout).to.include('one\\\\ntwo\\\\x1b[2J')
    },
  ],
  30: [
    'a reference that is a piece of a predicate',
    async (place) => {
      await place.once(0, external)
      for (const value of ['x" or 1=1', 'x" or email is defined or email="', '\\" or 1=1', ':v', '%']) {
        await place.ends(3, ['customers', 'get', `email=${value}`])
        await place.ends(3, ['customers', 'get', `number=${value}`])
      }
    },
  ],
}
