import {settles} from './harness.js'
import {passwordRows} from './password-rows.js'

describe('cli · settling writes of passwords and tokens', function () {
  this.timeout(60_000)
  settles(passwordRows)
})
