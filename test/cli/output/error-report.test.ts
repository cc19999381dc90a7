import {expect} from 'chai'
import {printsJson, reportJson, reportLines, reportOf} from '../../../src/cli/output/error-report.js'
import {Failure} from '../../../src/cli/process/failure.js'
import {type Trouble, Unreachable} from '../../../src/client/client.js'
import {retryAfterSeconds} from '../../../src/client/transports/refusal.js'
import {defined} from '../../../src/domain/equal.js'
import {ApiError, StateError} from '../../../src/domain/errors.js'

const codeOf = (error: unknown): number => reportOf(error).exitCode
const ofStatus = (status: number, code = 'General'): ApiError =>
  ApiError.fromBody(status, {statusCode: status, message: 'm', errors: [{code, message: 'm'}]})

describe('cli · errors', () => {
  it('are JSON where flags, environment or profile say so, whatever else is wrong with the line', () => {
    for (const words of ['--json', '-o json', '-ojson', '-o=json', '--output json', '--output=json'])
      expect(printsJson(['customers', ...words.split(' '), '--nonsense'], {}), words).to.equal(true)
    for (const words of ['', '-o csv', '--output=csv', '-o', '-- --json', '-o json -o csv'])
      expect(printsJson(['customers', ...words.split(' ')], {}), words).to.equal(false)
    expect(printsJson([], {FRONTDESK_OUTPUT: 'json'})).to.equal(true)
    expect(printsJson(['-o', 'csv'], {FRONTDESK_OUTPUT: 'json'})).to.equal(false)
    expect(printsJson([], {}, {form: 'json'})).to.equal(true)
    const unreadable = {
      get form(): unknown {
        throw new Error('the profile cannot be read')
      },
    }
    expect(printsJson([], {}, unreadable)).to.equal(false)
  })

  it('gives each kind of failure its exit code', () => {
    expect(codeOf(ApiError.of('ResourceNotFound', {message: 'm'}))).to.equal(3)
    expect([401, 403].map((status) => codeOf(ofStatus(status)))).to.deep.equal([4, 4])
    expect(codeOf(ApiError.of('InvalidCredentials', {}))).to.equal(4)
    expect(codeOf(ApiError.of('invalid_scope', {}))).to.equal(4)
    expect(
      codeOf(ApiError.of('ConcurrentModification', {resourceId: 'x', expectedVersion: 1, currentVersion: 2})),
    ).to.equal(5)
    expect(codeOf(ApiError.of('DuplicateField', {field: 'email', duplicateValue: 'x'}))).to.equal(5)
    expect(codeOf(ApiError.of('LockedField', {field: 'email'}))).to.equal(5)
    expect(codeOf(ApiError.of('InvalidInput', {message: 'm'}))).to.equal(6)
    expect([413, 415, 405].map((status) => codeOf(ofStatus(status)))).to.deep.equal([6, 6, 6])
    expect([429, 500, 502, 503, 408].map((status) => codeOf(ofStatus(status)))).to.deep.equal([7, 7, 7, 7, 7])
    expect(codeOf(new Unreachable('no answer', false, 'request-1'))).to.equal(7)
    expect(codeOf(new StateError('StateLocked', 'm', '/x', 'Wait.'))).to.equal(13)
    expect(codeOf(Object.assign(new Error('ENOSPC: no space'), {code: 'ENOSPC'}))).to.equal(13)
    expect(codeOf(Object.assign(new Error('ENOENT: x'), {code: 'ENOENT'}))).to.equal(2)
    expect(codeOf(new TypeError('x is undefined'))).to.equal(1)
    expect(codeOf('thrown text')).to.equal(1)
  })

  it('says how long to wait as people say it, and nothing of a header that is wrong', () => {
    const now = Date.parse('Fri, 20 Nov 2026 10:00:00 GMT')
    const told: readonly (readonly [header: string, wait: string | undefined])[] = [
      ...([
        ['1', '1 second'],
        ['0.2', '1 second'],
        ['90', '90 seconds'],
        ['3600', '60 minutes'],
      ] as const),
      ...([
        ['Fri, 20 Nov 2026 10:00:30 GMT', '30 seconds'],
        ['Fri, 20 Nov 2026 09:00:00 GMT', undefined],
      ] as const),
      ...(['0', '-5', 'soon', '251601026460', '86401', '1e9', ''] as const).map(
        (header) => [header, undefined] as const,
      ),
    ]
    for (const [header, wait] of told) {
      const error = ApiError.of('OverCapacity', {
        message: 'm',
        ...defined({retryAfterSeconds: retryAfterSeconds(header, now)}),
      })
      const found = reportOf(error).hints.find((hint) => hint.startsWith('Wait'))
      expect(found, header).to.equal(wait && `Wait ${wait} before the next try.`)
    }
  })

  it('does not send back to a damaged state in a moment', () => {
    const hints = reportOf(
      ApiError.fromBody(503, {statusCode: 503, message: 'm', errors: [{code: 'StateCorrupt', message: 'm'}]}),
    ).hints
    expect(hints.join()).to.include('until the damage is repaired').and.not.include('in a moment')
  })

  it('says what to do about a certificate that is not trusted', () => {
    const {hints} = reportOf(new Unreachable('No answer.', false, 'request-1', {trouble: 'certificate'}))
    expect(hints.join()).to.include('--ca-file')
  })

  it('says what to do about a time-out, a proxy, and an answer of something else', () => {
    const hintOf = (trouble: Trouble) => reportOf(new Unreachable('No.', false, 'request-1', {trouble})).hints.join()
    expect(hintOf('timeout')).to.include('--timeout')
    expect(hintOf('proxy')).to.include('HTTPS_PROXY')
    const foreign = ApiError.fromBody(403, '<html>', {foreign: 'It says: Blocked'})
    for (const hint of [hintOf('foreign'), reportOf(foreign).hints.join()]) expect(hint).to.include('whoami --origins')
    expect(reportOf(foreign)).to.include({exitCode: 4})
    expect(reportOf(foreign).message).to.include('Blocked')
  })

  it('says both versions of a conflict, and why JSON was refused', () => {
    const conflict = ApiError.of('ConcurrentModification', {resourceId: 'x', expectedVersion: 3, currentVersion: 5})
    expect(reportOf(conflict).message).to.include('3').and.include('5')
    const refused = ApiError.of('InvalidJsonInput', {detailedErrorMessage: 'email: expected text'})
    expect(reportOf(refused).message).to.include('email: expected text')
  })

  it('names no flag that the command lacks, and not the command itself', () => {
    const conflict = ApiError.of('ConcurrentModification', {resourceId: 'x', expectedVersion: 3, currentVersion: 5})
    const hints = (error: unknown, command: string, ...flags: string[]) =>
      reportOf(error, {command, flags: new Set(flags)}).hints.join()
    expect(hints(conflict, 'customers update', 'on-conflict')).to.include('--on-conflict retry')
    expect(hints(conflict, 'customers delete', 'version'))
      .to.include('read it again')
      .and.not.include('--on-conflict')
    const client = ApiError.of('invalid_client', {})
    expect(hints(client, 'login')).to.include('nothing was stored')
    expect(hints(client, 'customers get')).to.include('whoami --origins')
    expect(hints(ofStatus(403), 'whoami')).to.include('whoami --origins')
    expect(hints(ofStatus(403), 'customers get')).to.include('whoami')
    const taken = ApiError.of('DuplicateField', {field: 'email', duplicateValue: 'x'})
    expect(hints(taken, 'quotes update')).to.not.include('customers find')
  })

  it('says in words what kept a file from being read or written', () => {
    const failing = (code: string, also: object = {}) => Object.assign(new Error(`${code}: x`), {code, ...also})
    expect(reportOf(failing('ENOENT', {path: 'a.csv'})).message).to.equal(
      'a.csv: there is no such file or folder (ENOENT).',
    )
    const full = reportOf(failing('ENOSPC', {syscall: 'write'}))
    expect(full).to.include({
      exitCode: 13,
      message: 'The output cannot be written: no space is left on the disk (ENOSPC).',
    })
    const lines = reportLines(reportOf(new Failure('terminated', 'Interrupted', 'Ended.')), undefined)
    expect(lines).to.equal('Error: Ended.\nexit 143\n')
  })

  it('is three short lines for people, made safe', () => {
    const error = new Failure('notFound', 'X', 'No \u001b[31mcustomer', {hints: ['Look.'], correlationId: 'request-1'})
    expect(reportLines(reportOf(error), 'staging')).to.equal(
      'Error: No \\x1b[31mcustomer\nLook.\nrequest request-1 · profile staging · exit 3\n',
    )
  })

  it('is one JSON document for programs', () => {
    expect(JSON.parse(reportJson(reportOf(ApiError.of('InvalidInput', {message: 'm'}))))).to.deep.equal({
      error: {
        code: 'InvalidInput',
        message: 'm',
        exitCode: 6,
        statusCode: 400,
        hints: ['Correct the value; `frontdesk help predicates` explains queries.'],
        details: [{code: 'InvalidInput', message: 'm'}],
      },
    })
  })
})
