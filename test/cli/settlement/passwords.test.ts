import {settles} from './harness.js'
import {passwordRows} from './password-rows.js'

describe('cli · settling writes of passwords and tokens', () => {
  settles(passwordRows)
})
