/** Documents of every view, as they come in practice: with and without what may be missing, short and long. */

const id = (digit: number): string => `1a6d66fe-2b0c-4f5a-9c3d-00000000000${digit}`

const hazel = {
  id: id(1),
  version: 14,
  key: 'hazel-brandvold',
  email: 'hazel.brandvold@example.com',
  title: 'Dr.',
  firstName: 'Hazel',
  middleName: 'Ottilie',
  lastName: 'Brandvold',
  isEmailVerified: true,
  createdAt: '2026-01-12T12:00:00.000Z',
}
const noor = {
  id: id(2),
  version: 2,
  email: 'noor.van-dijk@mail.example',
  firstName: 'Noor',
  lastName: 'van Dijk',
  isEmailVerified: false,
  createdAt: '2025-02-03T12:00:00.000Z',
}
const quote = {
  id: id(3),
  key: 'hazel-open-offer-of-autumn',
  version: 2,
  quoteState: 'Pending',
  totalPrice: {type: 'centPrecision', currencyCode: 'EUR', centAmount: 204030, fractionDigits: 2},
  validTo: '2026-12-31T12:00:00.000Z',
  businessUnit: {typeId: 'business-unit', key: 'brandvold-and-daughters'},
}
const deprecation = {
  id: 'carts-custom-line-item-price',
  area: 'carts',
  item: '`CustomLineItem.money` of a cart',
  deprecated: '2026-02-01',
  removed: '2027-02-01',
  alternative: 'the money of its price',
}
const audited = {
  time: '2026-11-21T12:00:00.000Z',
  operator: 'clerk',
  profile: 'staging',
  project: 'shop-eu',
  command: 'customers reset-password',
  phase: 'result',
  target: id(1),
  result: 'done',
  actions: ['createPasswordToken'],
  reason: 'asked by phone',
  ticket: 'CS-1731',
}
const session = {
  name: 'hazel',
  flow: 'password',
  place: 'https://auth.europe-west1.gcp.example shop-eu',
  scope: 'manage_my_quotes:shop-eu',
  expiresAt: '2026-11-22T14:30:00.000Z',
  expired: false,
  refreshable: true,
}
const job = {
  id: '20261120-093000125-1a2b3c',
  state: 'finished',
  startedAt: '2026-11-20T09:30:00.000Z',
  project: 'shop-eu',
  counts: {read: 10000, created: 9871, updated: 100, unchanged: 7, skipped: 0, failed: 22},
}
const profile = {
  name: 'staging',
  current: '*',
  projectKey: 'shop-eu',
  apiUrl: 'https://api.europe-west1.gcp.example',
  writes: 'protected',
}

export const samples: Readonly<Record<string, readonly unknown[]>> = {
  auditView: [audited, {...audited, command: 'customers update', ticket: undefined, time: '2026-11-22T11:55:00.000Z'}],
  customerTokenView: [
    {
      id: id(4),
      customerId: id(1),
      value: 'kJ3vQ7-4cXw2mB8zR1tY6uP9sD0fG5hN_aEoLiVb',
      expiresAt: '2026-11-23T12:00:00.000Z',
    },
  ],
  foundView: [
    {
      ...hazel,
      customerNumber: 'D-1001',
      companyName: 'Brandvold & Daughters',
      dateOfBirth: '1984-05-03',
      stores: [],
      addresses: [
        {id: 'a', city: 'Kiel', country: 'DE'},
        {id: 'b', city: 'Berlin', country: 'DE'},
      ],
    },
    {...noor, stores: [{typeId: 'store', key: 'berlin'}], addresses: []},
  ],
  historyView: [
    {
      time: '2026-11-22T11:58:00.000Z',
      origin: 'message',
      type: 'CustomerPasswordTokenCreated',
      what: 'password token created',
      who: 'clerk, with this tool (client support-eu)',
      expiresAt: '2026-11-23T11:58:00.000Z',
      ticket: 'CS-1731',
    },
    {
      time: '2026-11-18T09:12:00.000Z',
      origin: 'message',
      type: 'CustomerCompanyNameSet',
      what: 'company name set',
      changes: [{path: 'companyName', before: 'Brandvold & Sons', after: 'Brandvold & Daughters'}],
      who: 'client shop',
      version: 13,
    },
  ],
  customerView: [hazel, noor],
  datedDeprecationView: [{...deprecation, status: 'deprecated'}],
  deprecationDetailsView: [deprecation],
  deprecationView: [deprecation],
  introspectionView: [{active: true, client_id: 'support-eu', scope: 'manage_customers:shop-eu view_messages:shop-eu'}],
  issuedTokenView: [
    {
      access_token: 'mN4_example-token-of-forty-three-letters-0001',
      expires_in: 172800,
      scope: 'manage_project:shop-eu',
    },
  ],
  jobView: [job, {...job, id: '20261119-180211003-9f8e7d', state: 'interrupted', project: 'shop-us'}],
  messageView: [
    {
      id: id(5),
      type: 'CustomerPasswordTokenCreated',
      createdAt: '2026-11-22T11:08:00.000Z',
      resource: {typeId: 'customer-password-token', id: id(4)},
      resourceVersion: 1,
    },
  ],
  operationView: [
    {
      id: 'updateCustomerById',
      method: 'POST',
      path: '/{projectKey}/customers/{id}',
      summary: 'changes a customer by its update actions',
    },
  ],
  plainView: [{id: id(6), key: 'wholesale', version: 3}],
  profileView: [profile, {name: 'local', projectKey: 'local', writes: 'allowed', current: ''}],
  quoteView: [quote, {...quote, id: id(7), key: undefined, quoteState: 'DeclinedForRenegotiation'}],
  outboxView: [
    {
      createdAt: '2026-11-22T11:58:00.000Z',
      email: 'hazel.brandvold@example.com',
      purpose: 'password',
      expiresAt: '2026-11-23T11:58:00.000Z',
      isOpen: true,
      value: 'K2v0mYy2k8mJ0p9cZ3xqQH1d7w5TgR4eLsBnUaXf',
      link: 'https://shop.example/reset?token=K2v0mYy2k8mJ0p9cZ3xqQH1d7w5TgR4eLsBnUaXf',
    },
  ],
  requestView: [
    {
      number: 17,
      id: `frontdesk-${id(8)}`,
      at: '2026-11-22T11:58:00.000Z',
      method: 'GET',
      path: '/shop/in-store/key=berlin/customers',
      status: 403,
      caller: {kind: 'client', clientId: 'c28ZZhE90TPMLffif8rw8nk4', scopes: ['manage_my_profile:shop']},
      refusal: {why: 'None of the scopes of the token opens this path.'},
    },
    {
      number: 16,
      id: 'checkout-42',
      at: '2026-11-22T11:57:00.000Z',
      method: 'POST',
      path: '/shop/me',
      status: 200,
      caller: {kind: 'customer', customerId: id(1), scopes: []},
    },
  ],
  scopeRowView: [
    {
      id: 'view-orders',
      type: 'scope',
      operation: 'read orders and carts',
      previous: 'view_orders:{projectKey}',
      current: 'view_orders:{projectKey} view_carts:{projectKey}',
      effective: '2026-06-01',
    },
  ],
  scopesView: [
    {command: 'customers reset-password', scopes: ['manage_customers'], also: []},
    {command: 'quotes accept', scopes: ['manage_my_quotes', 'manage_my_quotes:{key}'], also: []},
  ],
  seenDeprecationView: [{...deprecation, uses: 12}],
  sessionView: [session, {...session, name: 'ada', expired: true, expiresAt: '2026-11-20T12:00:00.000Z'}],
  signInView: [{customer: hazel}],
  snapshotView: [{name: 'before-import', savedAt: '2026-11-21T16:00:00.000Z', projects: ['shop-eu', 'shop-us']}],
}
