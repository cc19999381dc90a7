import {customerRows} from './customer-rows.js'
import {settles} from './harness.js'

describe('cli · settling writes of customers', () => {
  settles(customerRows)
})
