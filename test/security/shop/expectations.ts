import {expect} from 'chai'
import type {Answer, Body} from './wire.js'

/** What every answer of the authorization service has in common. */

const jsonType = /^application\/json(; ?charset=utf-8)?$/i

function checkFrame({headers}: Answer): void {
  expect(headers.get('content-type')).to.match(jsonType)
  expect(headers.get('cache-control')).to.equal('no-store')
  expect(headers.get('pragma')).to.equal('no-cache')
  expect(headers.get('x-content-type-options')).to.equal('nosniff')
}

/** "std-ok": 200, JSON, kept by nobody. */
export function stdOk(answer: Answer): Body {
  expect(answer.status, answer.text).to.equal(200)
  checkFrame(answer)
  return answer.body
}

/** "std-err": the usual body with `error` and a description of the characters that RFC 6749 §5.2 allows. */
export function stdErr(answer: Answer, status: number, code: string): Body {
  expect(answer.status, answer.text).to.equal(status)
  checkFrame(answer)
  const {body} = answer
  expect(body).to.include({statusCode: status, error: code})
  expect(body.errors[0].code).to.equal(code)
  expect(body.message).to.equal(body.errors[0].message)
  expect(body.error_description).to.match(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
  return body
}

export const invalidRequest = (answer: Answer): Body => stdErr(answer, 400, 'invalid_request')

/** 401 with the challenge that asks for HTTP Basic. */
export function invalidClient(answer: Answer): Body {
  const body = stdErr(answer, 401, 'invalid_client')
  expect(answer.headers.get('www-authenticate')).to.match(/^Basic realm="[^"]+", charset="UTF-8"$/)
  return body
}

/** 200 with an empty object, as revocation answers whatever became of the token. */
export function emptyOk({status, text, headers}: Answer): void {
  expect(status, text).to.equal(200)
  expect(text).to.equal('{}')
  expect(headers.get('cache-control')).to.equal('no-store')
}

export const missingToken = 'This endpoint requires an access token. You can get one from the authorization server.'

export function unauthorized(answer: Answer, message = 'invalid_token'): void {
  expect(answer.status, answer.text).to.equal(401)
  expect(answer.body).to.include({statusCode: 401, error: 'invalid_token', message})
  expect(answer.headers.get('www-authenticate')).to.equal(
    message === missingToken ? 'Bearer realm="frontdesk"' : 'Bearer realm="frontdesk", error="invalid_token"',
  )
}

export function forbidden(answer: Answer): void {
  expect(answer.status, answer.text).to.equal(403)
  expect(answer.body).to.include({statusCode: 403, error: 'insufficient_scope'})
  expect(answer.headers.get('www-authenticate')).to.match(
    /^Bearer realm="frontdesk", error="insufficient_scope", scope="[a-z_ ]+"$/,
  )
}
