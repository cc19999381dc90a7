import {expect} from 'chai'
import {limits} from '../../../src/work/limits.js'
import {bearer, ownFallbacks, refusal} from '../shop/fallback.js'
import {exchange, requestBytes, send} from '../shop/wire.js'

describe('security · M streams to and from the fallback server', () => {
  const {upstreamOf, shopAt} = ownFallbacks()

  it('M11 refuses a body over the limit, said or not, in words that arrive', async () => {
    const upstream = await upstreamOf()
    const {shop, token} = await shopAt(upstream.url)
    const over = limits.forwardedBodyBytes + 1
    const said = await send(shop.origin, {
      method: 'POST',
      path: '/shop/categories',
      headers: {...bearer(token), 'content-length': String(over)},
      body: 'x',
    })
    expect(refusal(said)).to.deep.equal([413, 413, 'ContentTooLarge'])
    const chunk = `100000\r\n${'x'.repeat(0x100000)}\r\n`
    const unsaid = await send(shop.origin, {
      method: 'POST',
      path: '/shop/categories',
      headers: {...bearer(token), 'transfer-encoding': 'chunked'},
      body: `${chunk.repeat(17)}0\r\n\r\n`,
    })
    expect(refusal(unsaid)).to.deep.equal([413, 413, 'ContentTooLarge'])
    expect(upstream.asked).to.deep.equal([])
  })

  it('M11 refuses an answer over the limit that says so, and cuts one that does not', async () => {
    const upstream = await upstreamOf((response) =>
      response.writeHead(200, {'content-length': String(limits.forwardedReplyBytes + 1)}).write('x'),
    )
    const {shop, token} = await shopAt(upstream.url)
    expect(refusal(await shop.api('GET', '/shop/categories', token))).to.deep.equal([502, 502, 'BadGateway'])
    const piece = Buffer.alloc(1 << 20)
    upstream.answer = (response) => {
      const more = () => {
        while (!response.destroyed && response.write(piece));
      }
      response.on('drain', more)
      more()
    }
    const answer = await fetch(`${shop.origin}/shop/categories`, {headers: bearer(token)})
    let size = 0
    let broke = false
    try {
      for await (const chunk of answer.body ?? []) size += chunk.length
    } catch {
      broke = true
    }
    expect([broke, size <= limits.forwardedReplyBytes]).to.deep.equal([true, true])
  })

  it('M12 streams a body before its end, and reads no more of an answer than its caller does', async () => {
    const upstream = await upstreamOf((response, _, request) => {
      response.writeHead(200)
      request.once('data', (chunk: Buffer) => response.write(`heard ${chunk.toString('utf8')}`))
      request.once('end', () => response.end(', all of it'))
    }, false)
    const {shop, token} = await shopAt(upstream.url)
    const head = requestBytes(shop.origin, {
      method: 'POST',
      path: '/shop/categories',
      headers: {...bearer(token), 'transfer-encoding': 'chunked'},
    })
    const heard = await exchange(shop.origin, (socket) => {
      socket.write(Buffer.concat([head, Buffer.from('3\r\none\r\n')]))
      socket.on('data', (chunk) => {
        if (chunk.toString('utf8').includes('heard one')) socket.write('0\r\n\r\n')
      })
    })
    expect(heard).to.include(', all of it')
    let written = 0
    const piece = Buffer.alloc(1 << 16)
    const stalled = new Promise<void>((resolve) => {
      upstream.answer = (response) => {
        const more = () => {
          while (written < limits.forwardedReplyBytes) {
            written += piece.length
            if (!response.write(piece)) break
          }
        }
        // Nothing drains any more once the buffers in between are full.
        let quiet = setTimeout(resolve, 500)
        response.on('drain', () => {
          clearTimeout(quiet)
          quiet = setTimeout(resolve, 500)
          more()
        })
        more()
      }
    })
    const answer = await fetch(`${shop.origin}/shop/categories`, {headers: bearer(token)})
    await stalled
    expect(written).to.be.lessThan(limits.forwardedReplyBytes / 2)
    await answer.body?.cancel()
  })
})
