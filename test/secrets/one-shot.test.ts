import {expect} from 'chai'
import {oneShotSecrets, secrets} from '../../src/secrets/secrets.js'

describe('secrets · of one command', () => {
  it('digests as a server does, so that each knows the tokens of the other', () => {
    for (const secret of ['', 'a-token', 'x'.repeat(200), 'žluťoučký 🐎']) {
      expect(oneShotSecrets.digest(secret), secret).to.equal(secrets.digest(secret))
    }
  })
})
