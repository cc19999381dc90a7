import type {ByProjectKeyRequestBuilder} from '@commercetools/platform-sdk'
import {expect} from 'chai'
import {openSdkDesk, type SdkDesk} from './sdk-desk.js'

/** What a shop does to a project, with the vendor's own packages and nothing of ours. */
describe('e2e · the public SDK as a shop uses it', () => {
  let desk: SdkDesk
  let project: ByProjectKeyRequestBuilder
  before(async () => {
    desk = await openSdkDesk()
    project = desk.project
  })
  after(() => desk.stop())

  const fails = (work: Promise<unknown>): Promise<{statusCode: number; body: {errors: {code: string}[]}}> =>
    work.then(
      () => expect.fail('it should have been refused'),
      (error) => error,
    )

  it('signs up and in under /me with a client’s own token, as the vendor’s suite does', async () => {
    for (const client of [project, desk.clientWith('manage_my_profile:demo')]) {
      const person = {email: `no-at-sign-${client === project}`, password: 'right horse'}
      const signedUp = await client.me().signup().post({body: person}).execute()
      expect([signedUp.statusCode, signedUp.body.customer.email]).to.deep.equal([201, person.email])
      const signedIn = await client.me().login().post({body: person}).execute()
      expect([signedIn.statusCode, signedIn.body.customer.id]).to.deep.equal([200, signedUp.body.customer.id])
      expect((await fails(client.me().get().execute())).statusCode).to.equal(403)
    }
  })

  it('makes groups, stores and types, and customers in them', async () => {
    const group = (
      await project
        .customerGroups()
        .post({body: {groupName: 'Regulars', key: 'regulars'}})
        .execute()
    ).body
    const store = (
      await project
        .stores()
        .post({body: {key: 'harbour', name: {en: 'Harbour'}}})
        .execute()
    ).body
    const field = `a-field-with-a-long-name-${'x'.repeat(11)}`
    const definition = {name: field, label: {en: 'Field'}, required: false, type: {name: 'String'} as const}
    const type = await project
      .types()
      .post({
        body: {key: 'shoe-size', name: {en: 'Shoe'}, resourceTypeIds: ['customer'], fieldDefinitions: [definition]},
      })
      .execute()
    const draft = {
      email: 'regular@example.com',
      password: 'right horse',
      customerGroup: {typeId: 'customer-group' as const, id: group.id},
      custom: {type: {typeId: 'type' as const, key: 'shoe-size'}, fields: {[field]: '44'}},
    }
    const harbour = project.inStoreKeyWithStoreKeyValue({storeKey: 'harbour'})
    const {customer} = (await harbour.customers().post({body: draft}).execute()).body
    expect(customer.stores).to.deep.equal([{typeId: 'store', key: 'harbour'}])
    expect([customer.customerGroup?.id, customer.custom?.fields]).to.deep.equal([group.id, {[field]: '44'}])
    const inUse = await fails(
      project
        .customerGroups()
        .withKey({key: 'regulars'})
        .delete({queryArgs: {version: group.version}})
        .execute(),
    )
    expect([inUse.statusCode, inUse.body.errors[0]?.code]).to.deep.equal([400, 'ReferenceExists'])
    await harbour
      .customers()
      .withId({ID: customer.id})
      .delete({queryArgs: {version: customer.version}})
      .execute()
    for (const gone of [
      project
        .customerGroups()
        .withId({ID: group.id})
        .delete({queryArgs: {version: group.version}}),
      project
        .stores()
        .withKey({key: 'harbour'})
        .delete({queryArgs: {version: store.version}}),
      project
        .types()
        .withKey({key: 'shoe-size'})
        .delete({queryArgs: {version: type.body.version}}),
    ]) {
      expect((await gone.execute()).statusCode).to.equal(200)
    }
  })

  it('lets a customer change the own profile, password and email under /me', async () => {
    const email = 'own.flows@example.com'
    const {customer} = (
      await project
        .me()
        .signup()
        .post({body: {email, password: 'old'}})
        .execute()
    ).body
    const own = desk.sessionOf(email, 'old')
    const actions = [{action: 'setFirstName', firstName: 'Ada'} as const]
    const {version} = (
      await own
        .me()
        .post({body: {version: customer.version, actions}})
        .execute()
    ).body
    await own
      .me()
      .password()
      .post({body: {version, currentPassword: 'old', newPassword: 'new'}})
      .execute()
    const token = await project
      .customers()
      .passwordToken()
      .post({body: {email, ttlMinutes: 10}})
      .execute()
    const again = desk.sessionOf(email, 'new')
    await again
      .me()
      .password()
      .reset()
      .post({body: {tokenValue: token.body.value, newPassword: 'newest'}})
      .execute()
    const mail = await project
      .customers()
      .emailToken()
      .post({body: {id: customer.id, ttlMinutes: 10}})
      .execute()
    const last = desk.sessionOf(email, 'newest')
    const verified = await last
      .me()
      .emailConfirm()
      .post({body: {tokenValue: mail.body.value}})
      .execute()
    expect(verified.body).to.deep.include({firstName: 'Ada', isEmailVerified: true})
    const gone = await last
      .me()
      .delete({queryArgs: {version: verified.body.version}})
      .execute()
    expect(gone.body.id).to.equal(customer.id)
  })

  it('takes a visitor’s cart into sign-up, and another one into sign-in', async () => {
    const first = desk.visitor('first-visit')
    const lineItems = [{sku: 'MUG-BLUE', quantity: 2}]
    const cart = (
      await first
        .me()
        .carts()
        .post({body: {currency: 'EUR', lineItems}})
        .execute()
    ).body
    expect([cart.anonymousId, cart.totalPrice.centAmount]).to.deep.equal(['first-visit', 2500])
    const person = {email: 'visitor@example.com', password: 'right horse'}
    const signedUp = (await first.me().signup().post({body: person}).execute()).body
    expect(signedUp.cart).to.deep.include({id: cart.id, customerId: signedUp.customer.id})
    const second = desk.visitor('second-visit')
    const more = {currency: 'EUR', lineItems: [{sku: 'MUG-MOSS'}]}
    const other = (await second.me().carts().post({body: more}).execute()).body
    const signedIn = (await second.me().login().post({body: person}).execute()).body
    expect([signedIn.cart?.id, signedIn.cart?.lineItems.length]).to.deep.equal([cart.id, 2])
    const own = desk.sessionOf(person.email, person.password)
    expect((await own.me().activeCart().get().execute()).body.id).to.equal(cart.id)
    const third = desk.visitor('third-visit')
    const latest = (await third.me().carts().post({body: more}).execute()).body
    const mode = {activeCartSignInMode: 'UseAsNewActiveCustomerCart'} as const
    expect(
      (
        await third
          .me()
          .login()
          .post({body: {...person, ...mode}})
          .execute()
      ).body.cart?.id,
    ).to.equal(latest.id)
    expect((await project.carts().withId({ID: other.id}).get().execute()).body.cartState).to.equal('Merged')
    const found = await project.carts().withCustomerId({customerId: signedUp.customer.id}).get().execute()
    expect(found.body.id).to.equal(latest.id)
    const {version} = found.body
    expect(
      (await own.me().carts().withId({ID: latest.id}).delete({queryArgs: {version}}).execute()).statusCode,
    ).to.equal(200)
  })
})
