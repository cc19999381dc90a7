import {customerRows} from './customer-rows.js'
import {settles} from './harness.js'

describe('cli · settling writes of customers', function () {
  this.timeout(60_000)
  settles(customerRows)
})
