import {expect} from 'chai'
import {spokenDay, spokenMoment} from '../../src/cli/output/times.js'
import {sinceOf} from '../../src/cli/process/durations.js'
import {query, tryRows} from './trial.js'

tryRows('time and locale', [
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
    report: 'yargs/yargs-parser#374, composer/composer#7303',
    does: 'a locale with two letters i',
    done: {env: {LC_ALL: 'tr_TR.UTF-8'}, words: query},
    code: 0,
    same: true,
  },
  {
    report: 'google/j2objc#804',
    does: 'a locale with digits of its own',
    done: {env: {LC_ALL: 'ar_EG.UTF-8'}, words: query},
    code: 0,
    same: true,
  },
  {
    report: 'neighbour of SUSE/DeepSea#688',
    does: 'a locale that does not exist',
    done: {env: {LC_ALL: 'nonsense', LANG: ''}, words: query},
    code: 0,
    same: true,
  },
  {
    report: 'nodejs/node-v0.x-archive#2387',
    does: 'a file whose name is no UTF-8',
    done: {
      shell: "echo key,email > $'caf\\xe9.csv'; \"$@\" $'caf\\xe9.csv'",
      words: ['customers', 'import', '--password-mode', 'external-auth', '--dry-run'],
    },
    code: 2,
    says: /caf.*\.csv does not exist/,
    silent: /bug/,
  },
])

interface Moment {
  readonly report: string
  readonly does: string
  readonly zone: string
  readonly shown: () => unknown
  readonly right: unknown
}

const at = Date.parse
const moments: readonly Moment[] = [
  {
    report: 'docker/cli#2552, moby/moby#16395',
    does: '--since with a moment that names no zone, which this machine has twice',
    zone: 'Europe/Berlin',
    shown: () => sinceOf('2026-10-25T02:30', '--since', 0),
    right: '2026-10-25T02:30:00.000Z',
  },
  {
    report: 'gabrieldemarmiesse/python-on-whales#574',
    does: '--since with a moment that this machine never has',
    zone: 'America/New_York',
    shown: () => sinceOf('2026-03-08T02:30:00', '--since', 0),
    right: '2026-03-08T02:30:00.000Z',
  },
  {
    report: 'karpathy/ulogme#11',
    does: '--since with a day of 25 hours',
    zone: 'Europe/Berlin',
    shown: () => sinceOf('1d', '--since', at('2026-10-25T12:00:00Z')),
    right: '2026-10-24T12:00:00.000Z',
  },
  {
    report: 'leokhoa/laragon#898',
    does: 'yesterday, where today has 25 hours',
    zone: 'Europe/Berlin',
    shown: () => spokenMoment('2026-10-24T10:00:00Z', at('2026-10-25T22:30:00Z')),
    right: 'yesterday 12:00',
  },
  {
    report: 'schmich/marinara#374',
    does: 'yesterday, where today has 23 hours',
    zone: 'Europe/Berlin',
    shown: () => spokenMoment('2026-03-28T22:30:00Z', at('2026-03-29T21:30:00Z')),
    right: 'yesterday 23:30',
  },
  {
    report: 'neighbour of leokhoa/laragon#898',
    does: 'a day that has no midnight',
    zone: 'America/Santiago',
    shown: () => spokenDay('2026-09-06'),
    right: '6 Sep 2026',
  },
]

describe('machine · a change of the hour', () => {
  const zone = process.env['TZ']
  afterEach(() => {
    if (zone === undefined) delete process.env['TZ']
    else process.env['TZ'] = zone
  })

  for (const {report, does, zone: there, shown, right} of moments)
    it(`${does} (${report})`, () => {
      process.env['TZ'] = there
      expect(shown()).to.equal(right)
    })
})
