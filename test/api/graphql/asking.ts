import {expect} from 'chai'
import type {Answer, Body, Desk} from '../harness.js'

/** What a test asks a desk in GraphQL: the answer, its data, or its status, data and codes of errors. */
export function asking(desk: () => Desk) {
  const ask = (
    query: string,
    {token, ...more}: {token?: string; variables?: object; operationName?: string} = {},
  ): Promise<Answer> =>
    desk().ask('POST', '/graphql', {body: {query, ...more}, ...(token === undefined ? {} : {token})})
  return {
    ask,
    data: async (...given: Parameters<typeof ask>): Promise<Body> => {
      const {status, body} = await ask(...given)
      expect([status, body.errors], JSON.stringify(body)).to.deep.equal([200, undefined])
      return body.data
    },
    codes: async (...given: Parameters<typeof ask>) => {
      const {status, body} = await ask(...given)
      return [status, body.data, ...body.errors.map(({extensions}: Body) => extensions.code)]
    },
  }
}
