import {expect} from 'chai'
import {StateError} from '../../../src/domain/errors.js'
import {databaseAddressOf} from '../../../src/store/postgres/connection/address.js'

function refusal(url: string): StateError {
  try {
    databaseAddressOf(url)
  } catch (error) {
    if (error instanceof StateError) return error
    throw error
  }
  throw new Error(`${url} was accepted`)
}

describe('store · address of PostgreSQL', () => {
  it('reads user, password, host, port and database', () => {
    const {connection, label} = databaseAddressOf('postgresql://shop:p%40ss@127.0.0.1:6000/customers?pool_size=7')
    expect(connection).to.include({user: 'shop', password: 'p@ss', host: '127.0.0.1', port: 6000})
    expect(connection).to.include({database: 'customers', ssl: false})
    expect(label).to.equal('postgres://127.0.0.1:6000/customers')
    expect(databaseAddressOf('postgres://localhost/a?pool_size=7')).to.include({poolSize: 7})
    expect(databaseAddressOf('postgres:///a?host=/run/postgresql').connection).to.include({
      host: '/run/postgresql',
      ssl: false,
    })
    expect(databaseAddressOf('postgres://[::1]/a').connection).to.include({host: '::1', ssl: false})
  })

  it('reads the ways in which libpq writes one host, and refuses several', () => {
    const place = (url: string) => {
      const {host, port} = databaseAddressOf(url).connection
      return `${host}:${port}`
    }
    expect(place('postgres://u@/a?host=/run/a&port=6000')).to.equal('/run/a:6000')
    expect(place('postgres://%2Frun%2Fa/a')).to.equal('/run/a:5432')
    expect(place('postgres:///a')).to.equal('localhost:5432')
    expect(place('postgres://[::2]:6000/a?sslmode=verify-full')).to.equal('::2:6000')
    for (const url of [
      'postgres://db1.example,db2.example/a',
      'postgres://u:p%40ss@localhost:5433,127.0.0.1:5434/a',
      'postgres://u@/a?host=/run/a,/run/b',
    ]) {
      expect(`${refusal(url).message} ${refusal(url).remedy}`, url).to.not.include('ss@')
    }
    expect(refusal('postgres://db1.example,db2.example/a').remedy).to.include('a proxy in front of them')
    for (const url of [
      'postgres://localhost/a?target_session_attrs=read-write',
      'postgres://localhost:5432:1/a',
      'postgres://localhost:0/a',
      'postgres://localhost:x/a',
      'postgres://localhost/a?port=0',
      'postgres://local host/a',
      'postgres://local%20host/a',
      'postgres://',
    ]) {
      expect(refusal(url), url).to.include({code: 'StateUnusable'})
    }
  })

  it('verifies who answers wherever it is not this machine', () => {
    for (const url of ['postgres://db.example.com/a', 'postgres://10.0.0.1/a?sslmode=verify-full']) {
      expect(databaseAddressOf(url).connection.ssl).to.include({rejectUnauthorized: true})
    }
    expect(databaseAddressOf('postgres://localhost/a?sslmode=verify-full').connection.ssl).to.be.an('object')
    for (const mode of ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'no-verify', '']) {
      expect(refusal(`postgres://db.example.com/a?sslmode=${mode}`).message).to.include('db.example.com')
    }
    expect(refusal('postgres://127.example.com/a?sslmode=disable')).to.include({code: 'StateUnusable'})
  })

  it('refuses what it does not know instead of passing it by', () => {
    expect(refusal('postgres://localhost/a?ssl_mode=disable').message).to.include('ssl_mode')
    expect(refusal('postgres://localhost/a?sslmode=disable&sslmode=verify-full').message).to.include('sslmode')
    expect(refusal('postgres://localhost/a?host=elsewhere').message).to.include('host')
    expect(refusal('postgres://localhost/a?pool_size=1').message).to.include('pool_size')
    expect(refusal('postgres://db/a?sslrootcert=/nowhere/ca.pem').message).to.include('/nowhere/ca.pem')
  })

  it('never repeats a password', () => {
    const urls = [
      'postgres://ada:hush@',
      'postgres://ada:hush%ZZ@localhost/a',
      'mysql://ada:hush@localhost/a',
      'postgres://ada:hush@local host/a',
      'postgres://ada:hush@db.example.com/a?sslmode=disable',
      'postgres://ada:hush@localhost:99999/a',
      'postgres://ada:hush@localhost/a?what=1',
    ]
    for (const url of urls) {
      const {message, path, remedy, cause} = refusal(url)
      expect(JSON.stringify([message, path, remedy, String(cause)]), url).not.to.include('hush')
    }
  })
})
