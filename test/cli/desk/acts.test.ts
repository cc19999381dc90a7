import {expect} from 'chai'
import {type Calls, namesOf} from '../../../src/cli/command/operations.js'
import {acts, checkKey, deskCalls, menuKeys} from '../../../src/cli/desk/acts.js'
import {globalFlags} from '../../../src/cli/input/flags.js'
import {config} from '../run.js'
import {openedWith} from './scripted-call.js'

/** The table of acts against the commands that it runs. */
describe('cli · desk · acts', () => {
  const answers = {
    email: 'new@example.com',
    title: 'Dr.',
    firstName: 'H',
    lastName: 'B',
    assignment: 'key=a=b',
    which: 'n',
    what: 'c',
    country: 'DE',
    city: 'Kiel',
    group: 'vip',
    store: '-berlin',
    sure: 'ERASE',
    verb: 'a',
    file: 'd.json',
    backup: 'b.jsonl',
  }

  it('has one key for each, none of them taken by the session itself', () => {
    const keys = [...acts, checkKey, ...menuKeys].map(({key}) => key)
    expect(new Set(keys).size).to.equal(keys.length)
    for (const key of keys) expect(key).to.have.length(1)
  })

  it('runs commands that exist, with flags that they have, and names all that these call', async () => {
    const {commands} = await config()
    // `create` signs in only to settle a lost answer.
    const known = new Set([...namesOf(deskCalls), 'signInCustomer'])
    for (const {command, words} of acts.flatMap((act) => [act, ...(act.next ? [act.next.act] : [])])) {
      const found = commands.find(({id}) => id === command.replaceAll(' ', ':')) ?? expect.fail(`no command ${command}`)
      const line = words('key=hazel', openedWith().customer, answers)
      expect(line.slice(0, command.split(' ').length).join(' ')).to.equal(command)
      for (const word of line.filter((one) => one.startsWith('--'))) {
        expect({...globalFlags, ...found.flags}, `${command} ${word}`).to.have.property(word.slice(2))
      }
      const declared = (found as unknown as {operations: Calls}).operations
      for (const call of declared) if (typeof call === 'string') expect([...known], command).to.include(call)
    }
  })

  it('answers the quotes of a store’s customer in that store', () => {
    const {words} = acts.find(({key}) => key === 'q') ?? expect.fail()
    expect(words('key=a', openedWith({stores: [{typeId: 'store', key: 'berlin'}]}).customer, {})).to.include('berlin')
    expect(words('key=a', openedWith().customer, {})).to.not.include('--store')
  })

  it('takes a date of birth as callers say it, and refuses none that is one', async () => {
    const [, value] = acts.find(({key}) => key === 'f')?.asks ?? []
    const asked = {field: 'dateOfBirth'}
    for (const [typed, meant] of [
      ['29.2.1984', '1984-02-29'],
      ['4.5.1980', '1980-05-04'],
      [' 4. 5. 80', '1980-05-04'],
      ['4 May 80', '1980-05-04'],
      ['4/5/1980', '4/5/1980'],
    ] as const)
      expect(await value?.meaning?.(typed, asked), typed).to.equal(meant)
    expect(value?.refuse?.('1984-02-29', openedWith(), asked)).to.equal(undefined)
    expect(value?.refuse?.('some day', openedWith(), asked)).to.be.a('string')
  })

  it('removes what is emptied, and takes out what has a minus', () => {
    const lineOf = (key: string, given: Record<string, string>): readonly string[] =>
      acts.find((act) => act.key === key)?.words('id', openedWith().customer, given) ?? []
    expect(lineOf('n', {title: '', firstName: 'Hazel', lastName: ''})).to.include.members(['--unset', 'lastName'])
    expect(lineOf('n', {title: '', firstName: 'Hazel', lastName: ''})).to.not.include('firstName=Hazel')
    expect(lineOf('f', {field: 'companyName', value: ''})).to.include.members(['--unset', 'companyName'])
    expect(lineOf('f', {field: 'locale', value: 'de=x'})).to.include.members(['--set', 'locale=de=x'])
    expect(lineOf('s', {store: '-berlin'})).to.include.members(['--remove-store', 'berlin'])
    expect(lineOf('g', {group: 'vip'})).to.include.members(['--add-group', 'vip'])
  })
})
