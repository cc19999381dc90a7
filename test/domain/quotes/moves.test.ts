import {expect} from 'chai'
import fc from 'fast-check'
import * as v from 'valibot'
import type {Facts} from '../../../src/domain/action.js'
import {ApiError} from '../../../src/domain/errors.js'
import {fold} from '../../../src/domain/fold.js'
import {myQuoteActions} from '../../../src/domain/quotes/actions.js'
import type {Quote} from '../../../src/domain/quotes/quote.js'
import {type QuoteState, quoteStates} from '../../../src/domain/quotes/quote.js'
import {pack} from '../../fixtures/pack.js'

const facts: Facts = {
  now: '2026-11-20T10:00:00.000Z',
  newAddressId: () => 'unused',
  newPasswordMask: () => 'unused',
  languages: [],
  limits: {customerGroups: 500},
  resolve: ({typeId, id}) => {
    const found = typeId === 'type' ? pack.types.find((type) => type.id === id) : undefined
    if (found) return found as never
    throw ApiError.of('ReferencedResourceNotFound', {typeId})
  },
}

const [sample] = pack.quotes as unknown as readonly Quote[]
if (!sample) throw new Error('the demo has no quotes')
const {custom: _, ...plain} = sample

const quoteIn = (quoteState: QuoteState, members: Partial<Quote> = {}): Quote => ({...plain, ...members, quoteState})

function act(quote: Quote, {action, ...body}: {action: string; [member: string]: unknown}, given: Facts = facts) {
  const unit = myQuoteActions.get(action)
  if (!unit) throw new Error(`no action ${action}`)
  return fold(quote, [{action: unit, body: v.parse(unit.schema, body)}], given)
}

function codeOf(work: () => unknown): string | undefined {
  try {
    work()
    return undefined
  } catch (error) {
    return error instanceof ApiError ? error.code : 'not an ApiError'
  }
}

/** Every way in which an action moves a quote, and where it leads. Written by hand, not read from the source. */
const moves = [
  {call: {action: 'changeMyQuoteState', quoteState: 'Accepted'}, to: 'Accepted', permission: 'AcceptMyQuotes'},
  {call: {action: 'changeMyQuoteState', quoteState: 'Declined'}, to: 'Declined', permission: 'DeclineMyQuotes'},
  {
    call: {action: 'requestQuoteRenegotiation', buyerComment: 'ten per cent'},
    to: 'DeclinedForRenegotiation',
    permission: 'RenegotiateMyQuotes',
  },
] as const

const stays = [
  {action: 'setCustomType', type: {typeId: 'type', key: 'any'}},
  {action: 'setCustomType'},
  {action: 'setCustomField', name: 'any', value: 1},
]

describe('quotes · moves', () => {
  for (const from of quoteStates) {
    for (const {call, to} of moves) {
      const isMove = from === 'Pending'
      it(`${isMove ? 'leads' : 'refuses to lead'} from ${from} to ${to}`, () => {
        const before = quoteIn(from)
        if (!isMove) {
          expect(codeOf(() => act(before, call))).to.equal('InvalidOperation')
          return
        }
        const {next} = act(before, call)
        expect(next).to.include({quoteState: to, version: before.version + 1})
        expect(before.quoteState).to.equal('Pending')
      })
    }

    for (const call of stays) {
      it(`leaves ${from} as it is by ${call.action}${'type' in call || 'name' in call ? '' : ' without a type'}`, () => {
        const type = {
          id: 't',
          key: 'any',
          resourceTypeIds: ['quote'],
          fieldDefinitions: [{name: 'any', type: {name: 'Number'}}],
        }
        const before = quoteIn(from, {custom: {type: {typeId: 'type', id: 't'}, fields: {any: 2}}})
        const {next, messages} = act(before, call, {...facts, resolve: () => type})
        expect(next.quoteState).to.equal(from)
        expect(next.version).to.equal(before.version + 1)
        expect(messages).to.deep.equal([])
      })
    }
  }

  it('has no action that the cases above leave out', () => {
    const used = new Set([...moves.map(({call}) => call.action), ...stays.map(({action}) => action)])
    expect([...myQuoteActions.keys()]).to.have.members([...used])
  })

  it('says in a message what changed', () => {
    const {messages} = act(quoteIn('Pending'), moves[0].call)
    expect(messages).to.deep.equal([
      {
        type: 'QuoteStateChanged',
        payload: {quoteState: 'Accepted', oldQuoteState: 'Pending'},
        resourceVersion: sample.version + 1,
      },
    ])
  })

  it('keeps the comment of a renegotiation, and forgets an older one without', () => {
    const commented = act(quoteIn('Pending'), moves[2].call)
    expect(commented.next.buyerComment).to.equal('ten per cent')
    expect(commented.messages.map(({type, payload}) => ({type, payload}))).to.deep.equal([
      {type: 'QuoteRenegotiationRequested', payload: {buyerComment: 'ten per cent'}},
    ])
    const silent = act(quoteIn('Pending', {buyerComment: 'old'}), {action: 'requestQuoteRenegotiation'})
    expect(silent.next).to.not.have.property('buyerComment')
    expect(silent.messages[0]?.payload).to.deep.equal({})
  })

  it('never gets out of an answered state, whatever is tried', () => {
    const call = fc.constantFrom(...moves.map((move) => move.call))
    fc.assert(
      fc.property(fc.array(call, {minLength: 1, maxLength: 5}), (calls) => {
        let quote = quoteIn('Pending')
        for (const [at, one] of calls.entries()) {
          const code = codeOf(() => {
            quote = act(quote, one).next
          })
          expect(code).to.equal(at === 0 ? undefined : 'InvalidOperation')
        }
        expect(quote.version).to.equal(sample.version + 1)
      }),
    )
  })
})

describe('quotes · moves in a business unit', () => {
  const ofUnit = quoteIn('Pending', {businessUnit: {typeId: 'business-unit', key: 'mill'}})
  const as = (...permissions: string[]): Facts => ({
    ...facts,
    associate: {customerId: 'c-1', permissions: new Set(permissions)},
  })

  for (const {call, to, permission} of moves) {
    it(`takes ${permission} to reach ${to}, and no other permission`, () => {
      expect(act(ofUnit, call, as(permission)).next.quoteState).to.equal(to)
      const others = [...moves.map((move) => move.permission), permission.replace('My', 'Others'), 'ViewMyQuotes']
      const without = others.filter((other) => other !== permission)
      expect(codeOf(() => act(ofUnit, call, as(...without)))).to.equal('AssociateMissingPermission')
    })
  }

  it('names who lacks what, where', () => {
    try {
      act(ofUnit, moves[0].call, as())
      expect.fail('accepted')
    } catch (error) {
      expect(error).to.include({statusCode: 403})
      expect((error as ApiError).errors[0]).to.deep.equal({
        code: 'AssociateMissingPermission',
        message: "Associate 'c-1' has no rights to accept a quote in business-unit 'mill'. Needs 'AcceptMyQuotes'.",
        associate: {typeId: 'customer', id: 'c-1'},
        businessUnit: {typeId: 'business-unit', key: 'mill'},
        permissions: ['AcceptMyQuotes'],
        action: {action: 'changeMyQuoteState', quoteState: 'Accepted'},
        actionIndex: 0,
      })
    }
  })

  it('speaks of the permission before the state', () => {
    const answered = {...ofUnit, quoteState: 'Accepted'} as const
    expect(codeOf(() => act(answered, moves[0].call, as()))).to.equal('AssociateMissingPermission')
    expect(codeOf(() => act(answered, moves[0].call, as('AcceptMyQuotes')))).to.equal('InvalidOperation')
  })

  it('refuses without a word about the caller’s roles', () => {
    expect(codeOf(() => act(ofUnit, moves[0].call))).to.equal('AssociateMissingPermission')
  })
})
