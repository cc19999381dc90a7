import {createServer} from 'node:http'
import {expect} from 'chai'
import {getCustomerById} from '../../src/api/customers/operations.js'
import {Unreachable} from '../../src/client/client.js'
import {connect} from '../../src/client/connect.js'
import {creatorOf} from '../../src/client/creation.js'
import {mayHaveActed, OutcomeUnknown, type Reading, settled, WriteNotApplied} from '../../src/client/settle.js'
import {wasSent} from '../../src/client/transports/no-answer.js'
import {refusalOf} from '../../src/client/transports/refusal.js'
import {ApiError} from '../../src/domain/errors.js'
import {addressOf} from './foreign-server.js'

const lost = () => new Unreachable('reset', true, 'c')
const silent = () => new Unreachable('late', true, 'c', {trouble: 'timeout'})
const page = (status: number) => refusalOf({status, headers: {}, body: '<html>'}, 'c')
const conflict = () => ApiError.of('ConcurrentModification', {resourceId: 'x', expectedVersion: 1, currentVersion: 2})
const nothing: Reading<string> = {unchanged: 'It is as it was.'}

describe('client · settling a write', () => {
  /** Answers in order; errors are thrown. Settles by readings in order, the last one again and again. */
  async function outcome(
    answers: readonly (Error | string)[],
    readings: readonly (Reading<string> | Error)[],
    more = {},
  ) {
    const left = [...answers]
    const seen = [...readings]
    let sent = 0
    const request = async (): Promise<string> => {
      sent += 1
      const answer = left.shift() ?? 'answered'
      if (typeof answer === 'string') return answer
      throw answer
    }
    const read = async (): Promise<Reading<string>> => {
      const reading = (seen.length > 1 ? seen.shift() : seen[0]) ?? nothing
      if (reading instanceof Error) throw reading
      return reading
    }
    const settlement = {read, fenced: true, look: 'frontdesk look', ...more}
    const ended = await settled(request, settlement, {retries: 2, wait: async () => undefined}).then(
      ({result, isRead}) => `${result}${isRead ? ', read' : ''}`,
      (error: unknown) => (error instanceof Error ? error.name : 'none'),
    )
    return `${ended} (${sent})`
  }

  it('believes answers and refusals, and reads nothing then', async () => {
    const must = [new Error('must not read')]
    expect(await outcome(['fine'], must)).to.equal('fine (1)')
    expect(await outcome([conflict()], must)).to.equal('ApiError (1)')
    expect(await outcome([new Unreachable('refused', false, 'c')], must)).to.equal('Unreachable (1)')
    expect(await outcome([new TypeError('bug')], must)).to.equal('TypeError (1)')
  })

  it('reads after whatever leaves the effect open', async () => {
    for (const error of [lost(), silent(), page(502), page(503), page(504), page(500), page(403), page(302)]) {
      expect(await outcome([error], [{happened: 'found'}]), error.message).to.equal('found, read (1)')
    }
  })

  it('takes an answer of the API below 500 at its word, and none from 500 on', () => {
    const errors = [{code: 'General', message: 'x'}]
    const own = (status: number) =>
      refusalOf({status, headers: {}, body: {statusCode: status, message: 'x', errors}}, 'c')
    for (const status of [500, 502, 503]) expect(mayHaveActed(own(status)), String(status)).to.equal(true)
    expect(mayHaveActed(ApiError.of('ExternalOAuthFailed', {message: 'x'}))).to.equal(false)
    for (const status of [400, 404, 409, 429]) expect(mayHaveActed(own(status)), String(status)).to.equal(false)
  })

  it('repeats what is fenced and may pass, and says undone where a reading saw nothing', async () => {
    expect(await outcome([lost(), page(502)], [nothing])).to.equal('answered (3)')
    expect(await outcome([lost(), lost(), lost()], [nothing])).to.equal('WriteNotApplied (3)')
    expect(await outcome([lost()], [nothing], {fenced: false})).to.equal('WriteNotApplied (1)')
    expect(await outcome([page(403)], [nothing])).to.equal('WriteNotApplied (1)')
  })

  it('says that nobody can tell where a request may still arrive, or no reading helps', async () => {
    expect(await outcome([silent(), silent(), silent()], [nothing])).to.equal('OutcomeUnknown (3)')
    expect(await outcome([page(504), page(504), page(504)], [nothing])).to.equal('OutcomeUnknown (3)')
    expect(await outcome([lost()], [new Error('unreadable')])).to.equal('OutcomeUnknown (1)')
    expect(await outcome([lost()], [{open: 'It has changed since.'}])).to.equal('OutcomeUnknown (1)')
  })

  it('takes a refusal after a lost answer for the echo that it may be', async () => {
    expect(await outcome([silent(), conflict()], [nothing, {happened: 'late'}])).to.equal('late, read (2)')
    expect(await outcome([lost(), conflict()], [nothing])).to.equal('ApiError (2)')
    const after = conflict()
    after.afterOpenTry = true
    expect(await outcome([after], [{happened: 'before'}])).to.equal('before, read (1)')
  })

  it('knows what cannot have acted', () => {
    const unsent = page(502)
    unsent.unsent = true
    for (const error of [conflict(), page(429), unsent, new Unreachable('no', false, 'c'), new Error('other')]) {
      expect(mayHaveActed(error), error.message).to.equal(false)
    }
    expect(new WriteNotApplied(lost(), 'x').cause).to.be.instanceOf(Unreachable)
    expect(new OutcomeUnknown(lost(), 'x', 'y').look).to.equal('y')
  })

  it('knows its own creations by client, time and version', () => {
    const at = Date.parse('2026-11-22T10:00:00.000Z')
    const made = (clientId: string, createdAt: string, version: number) => ({
      version,
      createdAt,
      createdBy: {clientId, isPlatformClient: false},
    })
    const judged = (found: ReturnType<typeof made>, isSame = true, skewMs = 0) =>
      creatorOf(found, {clientId: 'me', at}, {skewMs, isSame})
    expect(judged(made('me', '2026-11-22T10:00:00.100Z', 1))).to.equal('ours')
    expect(judged(made('me', '2026-11-22T10:00:00.100Z', 2))).to.equal('open')
    expect(judged(made('me', '2026-11-22T10:00:00.100Z', 1), false)).to.equal("somebody else's")
    expect(judged(made('you', '2026-11-22T10:00:00.100Z', 1))).to.equal("somebody else's")
    expect(judged(made('me', '2026-11-22T09:59:50.000Z', 1))).to.equal("somebody else's")
    expect(judged(made('me', '2026-11-22T09:50:00.100Z', 1), true, -600_000), 'a server ten minutes behind').to.equal(
      'ours',
    )
  })
})

describe('client · what was never sent', () => {
  const failed = (code: string, more: object = {}) => Object.assign(new Error('no'), {code, ...more})

  it('is what failed before the handshake was done', () => {
    for (const code of [
      'ECONNREFUSED',
      'ENOTFOUND',
      'ERR_SSL_WRONG_VERSION_NUMBER',
      'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
      'CERT_NOT_YET_VALID',
      'CERT_HAS_EXPIRED',
      'ERR_TLS_CERT_ALTNAME_INVALID',
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE',
      'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
    ]) {
      expect(wasSent(failed(code)), code).to.equal(false)
    }
    expect(wasSent(failed('ETIMEDOUT', {syscall: 'connect'}))).to.equal(false)
    expect(wasSent(new AggregateError([failed('ECONNREFUSED'), failed('ENETUNREACH', {syscall: 'connect'})]))).to.equal(
      false,
    )
    expect(wasSent(new Error('Proxy response (403) !== 200 when HTTP Tunneling'))).to.equal(false)
  })

  it('is not what an established connection says', () => {
    for (const code of [
      'ECONNRESET',
      'EPIPE',
      'UND_ERR_SOCKET',
      'EHOSTUNREACH',
      'ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC',
    ]) {
      expect(wasSent(failed(code)), code).to.equal(true)
    }
    expect(wasSent(failed('ETIMEDOUT', {syscall: 'read'}))).to.equal(true)
    expect(wasSent(new AggregateError([failed('ECONNREFUSED'), failed('ECONNRESET')]))).to.equal(true)
  })

  it('is a request over https to a server that speaks http', async () => {
    const server = createServer((_, response) => response.end('{}'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const apiUrl = `https://127.0.0.1:${addressOf(server)}`
    const credentials = {kind: 'token', token: async () => 'token'} as const
    const client = await connect(
      {kind: 'remote', projectKey: 'shop', apiUrl, authUrl: apiUrl, credentials},
      {retries: 0},
    )
    const error = await client.call(getCustomerById, {id: 'x'}).catch((thrown: unknown) => thrown)
    expect(error).to.be.instanceOf(Unreachable).and.include({sent: false})
    await client.close()
    server.close()
  })
})
