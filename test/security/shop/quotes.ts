import type {Shop} from './shop.js'

/** A pending quote for G and one for K1. */
export async function addQuotes({runtime, customers}: Shop): Promise<void> {
  const puts = (['G', 'K1'] as const).map((name) => ({
    kind: 'quote',
    expect: 0,
    doc: {
      id: `quote-of-${name}`,
      key: `key-of-${name}`,
      version: 1,
      quoteState: 'Pending',
      customer: {typeId: 'customer', id: customers[name].id},
    } as never,
    uniqueKeys: [{key: `key:key-of-${name}`}],
  }))
  await runtime.state.commit('shop', puts)
}
