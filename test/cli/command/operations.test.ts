import {expect} from 'chai'
import CustomersFind from '../../../commands/customers/find.js'
import * as declared from '../../../src/api/declarations.js'
import {namesOf} from '../../../src/cli/command/operations.js'
import {callsOf} from '../../../src/cli/command/scopes.js'
import {config, Desk} from '../run.js'

describe('cli · the operations that commands declare', () => {
  it('are named as the API names them', async () => {
    const names = (await config()).commands.flatMap((command) => namesOf(callsOf(command)))
    expect(names.length).to.be.greaterThan(40)
    const byName = declared as unknown as Readonly<Record<string, {readonly id: string}>>
    for (const name of new Set(names)) expect(byName[name]?.id, name).to.equal(name)
  })

  it('knows the scopes of commands, and what is no command', async () => {
    const desk = new Desk()
    const scopes = async (words: string) => (await desk.run(['token', 'scopes', words, '--json'])).json
    for (const [words, scope] of [
      ['customers exists key=ada', 'view_customers'],
      ['customers update', 'manage_customers'],
      ['customers card', 'view_customers view_messages'],
      ['customers delete', 'manage_customers'],
      ['token introspect', 'introspect_oauth_tokens'],
      ['token issue --flow anonymous', 'create_anonymous_token'],
    ] as const) {
      expect(await scopes(words)).to.deep.equal({count: 1, results: [{command: words, scopes: scope.split(' ')}]})
    }
    expect(await scopes('messages tail')).to.deep.equal({
      count: 1,
      results: [
        {
          command: 'messages tail',
          scopes: ['view_messages'],
          also: [{scopes: ['view_customers'], when: '--resource of a customer'}],
        },
      ],
    })
    const ofMarks = ['manage_key_value_documents']
    expect(await scopes('undo')).to.deep.equal({
      count: 1,
      results: [
        {command: 'undo', scopes: ['manage_customers'], also: [{scopes: ofMarks, when: 'a run of --since last'}]},
      ],
    })
    const last = 'customers import --since last'
    expect(await scopes(last))
      .to.have.nested.property('results[0].scopes')
      .that.includes(ofMarks[0])
    for (const [command, ...ofQuotes] of [
      ['quotes update', 'view_quotes', 'manage_quotes'],
      ['quotes exists', 'view_quotes'],
    ] as const) {
      const onBehalf = [{scopes: ['view_customers', ...ofQuotes], when: '--as elsewhere than on the local target'}]
      const results = [{command, scopes: ['manage_my_quotes'], also: onBehalf}]
      expect(await scopes(command)).to.deep.equal({count: 1, results})
    }
    const copied = {scopes: ['manage_customer_groups', 'manage_stores', 'manage_types'], when: '--with-references'}
    const marked = {scopes: ofMarks, when: '--since last'}
    const titled = {scopes: ['view_types'], when: '--out FILE.html'}
    const typed = {scopes: ['view_types'], when: '--assert of custom fields'}
    const named = {scopes: ['manage_customer_groups', 'manage_stores'], when: '--create-references'}
    for (const [words, all, more] of [
      ['customers get key=ada', ['view_customers'], [typed]],
      ['customers copy', ['manage_customers'], [copied, marked]],
      ['customers import', ['manage_customers'], [named, marked]],
      ['customers', ['manage_customers', 'view_messages'], [copied, marked, titled, typed, named]],
    ] as const) {
      expect(await scopes(words)).to.deep.equal({count: 1, results: [{command: words, scopes: all, also: more}]})
    }
    for (const words of ['customers frobnicate', 'frobnicate', 'profiles list', 'whoami', '']) {
      expect((await desk.run(['token', 'scopes', words])).code, words).to.equal(6)
      expect((await desk.run(['token', 'issue', '--for', words])).code, words).to.equal(6)
    }
    desk.remove()
  })

  it('of the desk name what quotes of the project need, and nothing that only customers have', async () => {
    const desk = new Desk()
    const {json} = await desk.run(['token', 'scopes', 'desk', '--json'])
    const also = [
      {scopes: ['view_quotes'], when: 'quotes'},
      {scopes: ['manage_quotes'], when: 'answers to quotes'},
    ]
    const results = [{command: 'desk', scopes: ['manage_customers', 'view_messages'], also}]
    expect(json).to.deep.equal({count: 1, results})
    desk.remove()
  })

  it('stand in the help of a command as scopes', async () => {
    const desk = new Desk()
    const help = async (...words: string[]) => (await desk.run([...words, '--help'])).stdout
    expect(await help('customers', 'card')).to.match(/^SCOPES\n {2}view_customers, view_messages\n\nGLOBAL FLAGS/m)
    expect(await help('messages', 'list')).to.include('\n  view_customers with --resource of a customer\n')
    expect(await help('whoami')).to.not.include('SCOPES')
    expect(await help('profiles', 'list')).to.not.include('SCOPES')
    desk.remove()
  })

  it('are all that a command may call in a test', async () => {
    const desk = new Desk()
    const {operations} = CustomersFind
    Reflect.set(CustomersFind, 'operations', [])
    try {
      const failure = await desk.run(['customers', 'find', 'ada']).catch((error: Error) => error.message)
      expect(failure).to.equal('customers find calls searchCustomers, and does not declare it')
    } finally {
      Reflect.set(CustomersFind, 'operations', operations)
      desk.remove()
    }
  })
})
