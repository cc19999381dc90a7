import {createHash, createHmac, randomBytes} from 'node:crypto'
import {expect} from 'chai'
import {hmacSha256, sha256} from '../../src/domain/sha256.js'

describe('domain · SHA-256', () => {
  it('answers the examples of FIPS 180-4', () => {
    const examples = {
      '': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      abc: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
      abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq:
        '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
    }
    for (const [text, digest] of Object.entries(examples)) expect(sha256(text).toString('hex')).to.equal(digest)
  })

  it("is Node's for bytes of every length around the end of a block", () => {
    for (let length = 0; length < 200; length += 1) {
      const bytes = randomBytes(length)
      const told = `${length}: ${bytes.toString('hex')}`
      expect(sha256(bytes).toString('hex'), told).to.equal(createHash('sha256').update(bytes).digest('hex'))
    }
    expect(sha256('žluťoučký 🐎').equals(createHash('sha256').update('žluťoučký 🐎').digest())).to.equal(true)
  })

  it("is Node's HMAC for keys shorter and longer than a block", () => {
    for (let length = 0; length < 140; length += 1) {
      const [key, text] = [randomBytes(length).toString('base64'), randomBytes(140 - length).toString('base64')]
      const wanted = createHmac('sha256', key).update(text).digest('hex')
      expect(hmacSha256(key, text).toString('hex'), `${key} ${text}`).to.equal(wanted)
    }
  })
})
