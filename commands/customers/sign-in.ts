import {BaseCommand} from '../../src/cli/command/base-command.js'
import {type Calls, customerReads} from '../../src/cli/command/operations.js'
import {signIn} from '../../src/cli/customers/passwords.js'
import {signInClient, signInOf} from '../../src/cli/customers/sign-in.js'
import {choiceFlag, requiredArg, switchFlag, textFlag, writeFlags} from '../../src/cli/input/flags.js'
import {passwordFlags, secretOf} from '../../src/cli/input/secret-inputs.js'
import {signInView} from '../../src/cli/output/views.js'
import {settled} from '../../src/client/settle.js'
import {defined} from '../../src/domain/equal.js'

export default class CustomersSignIn extends BaseCommand<typeof CustomersSignIn> {
  static override operations: Calls = [...customerReads, 'signInCustomer']
  static override summary = 'Sign in a customer, or check the credentials'
  static override description = 'Shows the customer and the active cart. Use --store for customers of a store.'
  static override examples = [
    '<%= config.bin %> customers sign-in ada@example.com --password-file secret.txt --check-only',
    '<%= config.bin %> customers sign-in ada@example.com --password-file secret.txt --json',
  ]
  static override args = {email: requiredArg('an email address')}
  static override flags = {
    ...passwordFlags,
    'anonymous-cart': textFlag('ID|key=KEY', 'Anonymous cart to merge or take over.'),
    'anonymous-id': textFlag('ID', 'Anonymous session whose carts become the customer’s.'),
    'merge-mode': choiceFlag(
      ['MergeWithExistingCustomerCart', 'UseAsNewActiveCustomerCart'],
      'What happens to the anonymous cart.',
    ),
    'update-product-data': switchFlag('Also refresh product names and variants in the cart.'),
    'check-only': switchFlag('Only check the credentials: ends with code 0 if they are right, with 4 if not.', {
      exclusive: ['anonymous-cart', 'anonymous-id', 'merge-mode'],
    }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const {flags} = this
    const password = await secretOf(this, 'password', 'Password:')
    const cart = flags['anonymous-cart']
    const body = {
      email: this.args.email,
      password,
      ...(cart === undefined ? {} : {anonymousCart: cart.startsWith('key=') ? {key: cart.slice(4)} : {id: cart}}),
      ...defined({anonymousId: flags['anonymous-id'], anonymousCartSignInMode: flags['merge-mode']}),
      ...(flags['update-product-data'] ? {updateProductData: true} : {}),
    }
    const prepared = async () => {
      const client = await signInClient(await this.client(), body.email)
      const {email} = this.output.masked(body) as typeof body
      const ref = email === body.email ? body.email : 'email=…'
      const look = this.commandLine(['customers', 'card', ref], client.storeKey)
      return {request: () => signIn(client, body), settle: signInOf({client, body, look})}
    }
    if (flags['check-only'] && !this.isDry) {
      const {request, settle} = await prepared()
      const {customer} = (await settled(request, settle, this.repeats)).result
      await this.output.answer({valid: true, id: customer.id}, 'the credentials are right')
      return
    }
    const result = await this.effect({
      at: 'target',
      plan: () => [{...body, password: '***'}, `would sign in ${body.email}`],
      act: async (write) => write({actions: ['signIn'], ...(await prepared())}),
    })
    if (result) await this.output.document(result, signInView)
  }
}
