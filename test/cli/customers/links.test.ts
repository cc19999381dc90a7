import {expect} from 'chai'
import {generatedPassword, spelled} from '../../../src/cli/customers/generated-password.js'
import {Desk, root} from '../run.js'

describe('cli · customers · links and spoken passwords', () => {
  const desk = new Desk()
  const page = 'https://shop.example/reset?token={token}&from=desk'
  before(async () => {
    await desk.run(['server', 'seed', `${root}/fixtures/demo`, '--project-key', 'demo'])
    const added = ['login', 'shop', '--local', '--project-key', 'demo', '--reset-link', page]
    expect((await desk.run([...added, '--verify-link', 'http://localhost:3000/v/{token}'])).code).to.equal(0)
  })
  after(() => desk.remove())

  it('makes the link of the shop that the profile names; JSON has the token beside it', async () => {
    const reset = await desk.run([
      'customers',
      'reset-password',
      'key=hazel-brandvold',
      '-P',
      'shop',
      '--show-secret',
      '--json',
    ])
    const {value, link} = reset.json as {value: string; link: string}
    expect(link).to.equal(page.replace('{token}', value))
    const shown = await desk.run([
      'customers',
      'verify-email',
      'key=hazel-brandvold',
      '-P',
      'shop',
      '--send-only',
      '--show-secret',
    ])
    expect(shown.stdout).to.match(/link\s+http:\/\/localhost:3000\/v\/[\w-]+\n/)
    expect(shown.stdout, 'the token stands in the link').to.not.match(/^token/m)
    expect(shown.stderr).to.include('Send the link to Dr. Hazel')
  })

  it('shows the token where no page is named, and says what makes a link', async () => {
    const {stdout, stderr} = await desk.run([
      'customers',
      'reset-password',
      'key=owen-pell',
      '--show-secret',
      '--project-key',
      'demo',
    ])
    expect(stdout).to.not.include('link')
    expect(stderr).to.include('To show links here, set --reset-link of the profile.')
  })

  it('takes no page without a place for the token, with one in its host, over http or with a password', async () => {
    for (const link of [
      'https://shop.example/reset',
      'https://{token}.example/',
      'https://shop.{token}/',
      'http://shop.example/?t={token}',
      'https://u:p@shop.example/{token}',
      'javascript:x/{token}',
    ]) {
      const {code} = await desk.run(['login', 'bad', '--local', '--project-key', 'demo', '--reset-link', link])
      expect(code, link).to.equal(2)
    }
  })

  it('makes up passwords of words and digits that can be spelled', () => {
    const made = new Set(Array.from({length: 200}, generatedPassword))
    expect(made.size).to.equal(200)
    for (const password of made) expect(password).to.match(/^[a-z]{4,8}(?:-\d\d-[a-z]{4,8}){3}$/)
    expect(spelled('pony-47-lemon')).to.equal('P O N Y, hyphen, four seven, hyphen, L E M O N')
  })
})
