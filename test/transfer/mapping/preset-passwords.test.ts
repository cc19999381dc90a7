import {readFileSync} from 'node:fs'
import {expect} from 'chai'
import {importCustomers} from '../../../src/transfer/import.js'
import {presetMapping, presetNamed} from '../../../src/transfer/presets/presets.js'
import {bcryptHash, foreignPassword, otherHashes} from '../../fixtures/foreign-hashes.js'
import {quickRuntime, shop} from '../desk.js'
import {counts} from '../importing.js'
import {scratch} from '../scratch.js'

const files = scratch()
const desk = shop()

describe('transfer · presets and passwords', () => {
  it('brings hashes of bcrypt, and new passwords where a shop has other ones', async () => {
    const exports = {
      magento2: [
        'a.csv',
        (hash: string) => `email,_website,_store,password_hash\nm@example.com,base,default,${hash}\n`,
      ],
      woocommerce: ['b.csv', (hash: string) => `ID,user_email,user_pass\n3,w@example.com,${hash}\n`],
      prestashop: [
        'd.csv',
        (hash: string) => `id_customer,email,passwd,deleted,is_guest\n4,p@example.com,${hash},0,0\n`,
      ],
      salesforce: [
        'c.xml',
        (hash: string) => `<customers><customer customer-no="301"><credentials><login>s@example.com</login>
        <password encrypted="true" encryptionScheme="scrypt">${hash}</password></credentials></customer></customers>`,
      ],
    } as const
    const run = async (
      name: keyof typeof exports,
      hash: string,
      more: Partial<Parameters<typeof importCustomers>[2]> = {},
    ) => {
      const [file, content] = exports[name]
      const jobsDir = files.path(`jobs-${name}-${more.passwordMode}`)
      const options = {
        mapping: presetMapping(presetNamed(name)),
        jobsDir,
        target: 'test',
        runtime: quickRuntime(),
        ...more,
      }
      return importCustomers(desk().client, await files.source(file, content(hash)), options)
    }
    expect(counts(await run('woocommerce', bcryptHash))).to.deep.equal({read: 1, created: 1})
    const {client} = desk()
    const body = {email: 'w@example.com', password: foreignPassword}
    expect((await client.raw('POST', `/${client.projectKey}/login`, {body})).status).to.equal(200)
    for (const [name, form] of [
      ['magento2', 'magento2'],
      ['prestashop', 'unsalted'],
      ['salesforce', 'scrypt-s0'],
    ] as const) {
      const [hash = ''] = otherHashes[form] ?? []
      expect(counts(await run(name, hash)), name).to.deep.equal({read: 1, failed: 1})
      const passwordFile = files.path(`${name}.passwords.csv`)
      expect(counts(await run(name, hash, {passwordMode: 'generate', passwordFile})), name).to.deep.equal({
        read: 1,
        created: 1,
      })
      const [, made = ''] = readFileSync(passwordFile, 'utf8').trim().split('\n')
      expect(made, name).to.match(/,[\w-]{24}$/)
    }
  })
})
