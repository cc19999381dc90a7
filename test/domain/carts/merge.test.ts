import {expect} from 'chai'
import * as fc from 'fast-check'
import type {Cart, CustomLineItem, LineItem} from '../../../src/domain/carts/cart.js'
import {mayMerge, merged} from '../../../src/domain/carts/take-over.js'
import {cart, goods, merging, method} from './demo-carts.js'

const [mug, tea] = cart('hazel-current').lineItems as [LineItem, LineItem]
const [engraving] = cart('hazel-current').customLineItems as [CustomLineItem]

/** A line without key, custom fields and other things that a case did not ask for. */
const line = (productId: string, quantity: number, members: Partial<LineItem> = {}): LineItem => {
  const {key: _, custom: __, ...plain} = mug
  return {...plain, productId, quantity, id: `${productId}-${quantity}`, ...members} as LineItem
}

const holding = (...lineItems: LineItem[]): Cart => cart('anonymous-empty', {lineItems})
const held = (into: Cart, anonymous: Cart) =>
  merged(into, anonymous, merging()).lineItems.map(({id, productId, quantity}) => `${id}: ${productId}×${quantity}`)

describe('carts · merge · lines', () => {
  it('takes the higher quantity of the same variant on both sides, whichever side it is on', () => {
    expect(held(holding(line('mug', 3)), holding(line('mug', 7)))).to.deep.equal(['mug-3: mug×7'])
    expect(held(holding(line('mug', 7)), holding(line('mug', 3)))).to.deep.equal(['mug-7: mug×7'])
    expect(held(holding(line('mug', 2)), holding(line('mug', 2)))).to.deep.equal(['mug-2: mug×2'])
  })

  it('copies what only the anonymous cart holds, under a new id', () => {
    const anonymous = holding(line('lantern', 1), line('mug', 1, {variant: {id: 2}}))
    expect(held(holding(line('mug', 1)), anonymous)).to.deep.equal([
      'mug-1: mug×1',
      'copy-1: lantern×1',
      'copy-2: mug×1',
    ])
  })

  it('looks at keys first: the same key for something else stays behind', () => {
    expect(held(holding(line('mug', 1, {key: 'a'})), holding(line('chair', 5, {key: 'a'})))).to.deep.equal([
      'mug-1: mug×1',
    ])
    const both = holding(line('mug', 1, {key: 'a'}), line('chair', 1))
    expect(held(both, holding(line('chair', 5, {key: 'a'})))).to.deep.equal(['mug-1: mug×1', 'chair-1: chair×1'])
  })

  it('looks at keys first: of two lines of a variant the one with the key is meant', () => {
    const into = holding(line('mug', 1), line('mug', 2, {key: 'gift'}))
    expect(held(into, holding(line('mug', 9, {key: 'gift'})))).to.deep.equal(['mug-1: mug×1', 'mug-2: mug×9'])
  })

  it('looks at variants second, where keys differ or are missing', () => {
    expect(held(holding(line('mug', 1, {key: 'a'})), holding(line('mug', 4, {key: 'b'})))).to.deep.equal([
      'mug-1: mug×4',
    ])
    expect(held(holding(line('mug', 1, {key: 'a'})), holding(line('mug', 4)))).to.deep.equal(['mug-1: mug×4'])
  })

  it('keeps apart what was apart in the anonymous cart', () => {
    const anonymous = holding(line('mug', 1, {key: 'a'}), line('mug', 2, {key: 'b'}))
    expect(held(holding(), anonymous)).to.deep.equal(['copy-1: mug×1', 'copy-2: mug×2'])
  })

  it('keeps key, custom fields and everything else of the matched line', () => {
    const [next] = merged(cart('hazel-current'), cart('anonymous-breakfast'), merging()).lineItems
    expect(next).to.deep.equal(mug)
    const more = {...cart('anonymous-breakfast'), lineItems: [{...mug, quantity: 9, custom: {fields: {wrap: true}}}]}
    const [grown] = merged(cart('hazel-current'), more, merging()).lineItems
    expect(grown).to.deep.include({id: mug.id, key: 'mug', quantity: 9, custom: mug['custom']})
  })

  it('counts what is added in the first state and says when', () => {
    const [, grown] = merged(cart('hazel-current'), cart('anonymous-key-clash'), merging()).lineItems
    expect(grown).to.include({id: tea.id, quantity: 5, lastModifiedAt: '2026-11-20T10:00:00.000Z'})
    expect(grown?.state).to.have.length(1)
    expect(grown?.state?.[0]).to.include({quantity: 5})
  })

  it('says whether all units of a line still have an address', () => {
    const shippingDetails = {targets: [{addressKey: 'home', quantity: 2}], valid: true}
    const into = holding(line('mug', 2, {shippingDetails}))
    for (const [quantity, valid] of [
      [1, true],
      [3, false],
    ] as const) {
      const [next] = merged(into, holding(line('mug', quantity)), merging()).lineItems
      expect(next?.shippingDetails).to.deep.equal({...shippingDetails, valid})
    }
  })

  it('merges custom lines by slug, price and tax category, or copies them', () => {
    const slugs = (...customLineItems: CustomLineItem[]) =>
      goods(merged(cart('hazel-current', {lineItems: []}), cart('anonymous-empty', {customLineItems}), merging()))
    const {key: _, ...keyless} = engraving
    const dearer = {...(keyless as CustomLineItem), money: {...engraving.money, centAmount: 900}}
    expect(slugs({...(keyless as CustomLineItem), quantity: 5})).to.deep.equal(['engraving×5'])
    expect(slugs(dearer)).to.deep.equal(['engraving×2', 'engraving×2'])
    expect(slugs({...dearer, key: 'engraving'})).to.deep.equal(['engraving×2'])
    expect(slugs(...cart('anonymous-breakfast').customLineItems)).to.deep.equal(['engraving×2', 'gift-wrapping×1'])
  })

  it('leaves both carts as they were, and members of the anonymous cart behind', () => {
    const [into, anonymous] = [cart('hazel-current'), cart('anonymous-breakfast')]
    const before = structuredClone([into, anonymous])
    const next = merged(into, anonymous, merging())
    expect([into, anonymous]).to.deep.equal(before)
    expect(next).to.deep.include({id: into.id, custom: into['custom'], shippingAddress: into.shippingAddress})
  })
})

describe('carts · merge · properties', () => {
  const products = fc.constantFrom('mug', 'tea', 'desk')
  const lines = fc
    .uniqueArray(
      fc.record({
        productId: products,
        variant: fc.constantFrom(1, 2),
        key: fc.option(fc.constantFrom('a', 'b', 'c'), {nil: undefined}),
        quantity: fc.integer({min: 1, max: 9}),
      }),
      {maxLength: 6, comparator: (a, b) => a.key !== undefined && a.key === b.key},
    )
    .map((specs) =>
      specs.map(({productId, variant, key, quantity}, at) =>
        line(productId, quantity, {id: `line-${at}`, variant: {id: variant}, ...(key === undefined ? {} : {key})}),
      ),
    )
  const same = (a: LineItem, b: LineItem) => a.productId === b.productId && a.variant.id === b.variant.id
  const result = (into: LineItem[], anonymous: LineItem[]) =>
    merged(holding(...into), holding(...anonymous), merging()).lineItems

  it('loses no line of the customer and lowers no quantity', () => {
    fc.assert(
      fc.property(lines, lines, (into, anonymous) => {
        const next = result(into, anonymous)
        for (const [at, before] of into.entries()) {
          expect([next[at]?.id, next[at]?.productId, next[at]?.key]).to.deep.equal([
            before.id,
            before.productId,
            before.key,
          ])
          expect(next[at]?.quantity).to.be.at.least(before.quantity)
        }
      }),
    )
  })

  it('loses no anonymous line but those whose key means something else', () => {
    fc.assert(
      fc.property(lines, lines, (into, anonymous) => {
        const next = result(into, anonymous)
        for (const arriving of anonymous) {
          const namesake = into.find(({key}) => key !== undefined && key === arriving.key)
          const stays = namesake !== undefined && !same(namesake, arriving)
          const isHeld = next.some((one) => same(one, arriving) && one.quantity >= arriving.quantity)
          expect(stays || isHeld).to.equal(true)
        }
      }),
    )
  })

  it('invents no quantity, repeats no key and no id', () => {
    fc.assert(
      fc.property(lines, lines, (into, anonymous) => {
        const next = result(into, anonymous)
        for (const one of next) {
          const sources = [...into, ...anonymous].filter((source) => same(source, one))
          expect(sources.map(({quantity}) => quantity)).to.include(one.quantity)
        }
        const keys = next.flatMap(({key}) => key ?? [])
        expect(new Set(keys).size).to.equal(keys.length)
        expect(new Set(next.map(({id}) => id)).size).to.equal(next.length)
      }),
    )
  })

  it('adds no line the second time', () => {
    fc.assert(
      fc.property(lines, lines, (into, anonymous) => {
        const once = result(into, anonymous)
        expect(result(once, anonymous)).to.have.length(once.length)
      }),
    )
  })
})

describe('carts · merge · permission', () => {
  const into = cart('hazel-current')
  const berlin = {store: {typeId: 'store', key: 'berlin'}}

  it('merges carts of one currency and store', () => {
    expect(mayMerge(cart('anonymous-breakfast'), into, undefined)).to.equal(true)
    expect(mayMerge(cart('anonymous-dollar'), into, method('parcel'))).to.equal(false)
    expect(mayMerge(cart('anonymous-berlin'), into, undefined)).to.equal(false)
    expect(mayMerge(cart('anonymous-breakfast'), cart('mira-berlin'), undefined)).to.equal(false)
    expect(mayMerge(cart('anonymous-berlin'), cart('mira-berlin'), method('berlin-courier'))).to.equal(true)
  })

  it('merges no cart whose shipping method is inactive', () => {
    expect(mayMerge(cart('anonymous-inactive-shipping'), into, method('pneumatic-post'))).to.equal(false)
    expect(mayMerge(cart('anonymous-inactive-shipping'), into, {...method('pneumatic-post'), active: true})).to.equal(
      true,
    )
  })

  it('merges no cart without a store whose shipping method is bound to one', () => {
    expect(mayMerge(cart('anonymous-shipping-without-store'), into, method('berlin-courier'))).to.equal(false)
  })

  it('merges no cart whose shipping method is bound to other stores', () => {
    const anonymous = cart('anonymous-shipping-of-other-store')
    expect(mayMerge(anonymous, cart('mira-berlin'), method('outlet-van'))).to.equal(false)
    expect(mayMerge({...anonymous, ...berlin}, cart('mira-berlin'), method('berlin-courier'))).to.equal(true)
  })
})
