import {type Deprecation, restEntry} from './entry.js'

const payments = ['POST /payments', 'POST /me/payments']

const uppercase = ['AUTHORIZATION', 'CHARGE']

/** Actions that no other resource has. */
const paymentActions = [
  'addInterfaceInteraction',
  'addTransaction',
  'changeAmountPlanned',
  'changeTransactionInteractionId',
  'changeTransactionState',
  'changeTransactionTimestamp',
  'setInterfaceId',
  'setMethodInfoInterface',
  'setMethodInfoMethod',
  'setMethodInfoName',
  'setStatusInterfaceCode',
  'setStatusInterfaceText',
]

const paymentField = (member: string, instead: string) =>
  ({in: 'body', at: member, on: payments, beside: ['amountPlanned'], instead}) as const

const paymentAction = (action: string, instead: string) => ({in: 'action', action, instead}) as const

const fromTransactions = 'compute it from the Transactions'

/** Messages, Orders, Payments. */
export const orders: readonly Deprecation[] = [
  restEntry({
    id: 'messages-payment-id',
    area: 'Messages',
    item: '`paymentId` in PaymentStatusInterfaceCodeSetMessage',
    alternative: '`id`',
    dates: {deprecated: '2017-09-29'},
    detect: [
      {
        in: 'body',
        at: 'paymentId',
        when: {member: 'type', is: ['PaymentStatusInterfaceCodeSet', 'PaymentStatusInterfaceCodeSetMessage']},
      },
    ],
  }),
  restEntry({
    id: 'orders-from-cart-id',
    area: 'Orders',
    item: '`id` on OrderFromCartDraft',
    alternative: '`cart`',
    dates: {deprecated: '2020-12-22'},
    detect: [{in: 'body', at: 'id', lacks: ['cart'], on: ['POST /orders']}],
  }),
  restEntry({
    id: 'orders-last-message-sequence-number',
    area: 'Orders',
    item: '`lastMessageSequenceNumber`',
    alternative: 'do not use',
    dates: {deprecated: '2022-05-24'},
    detect: [
      {in: 'field', names: ['Order.lastMessageSequenceNumber']},
      ...['GET /orders', 'GET /me/orders'].flatMap((place) =>
        ['where', 'sort'].map((query) => ({
          in: 'url' as const,
          place,
          query,
          value: /\blastMessageSequenceNumber\b/,
        })),
      ),
    ],
  }),
  restEntry({
    id: 'payments-uppercase-transaction-type',
    area: 'Payments',
    item: 'uppercase TransactionType values `AUTHORIZATION`, `CHARGE`',
    alternative: '`Authorization`, `Charge`',
    dates: {deprecated: '2017-09-29'},
    detect: [
      ...['transactions[].type', 'transaction.type'].map((at) => ({
        in: 'body' as const,
        at,
        values: uppercase,
        on: ['POST /payments', 'POST /me/payments'],
        beside: ['amount.centAmount'],
      })),
      {
        in: 'body',
        at: 'transaction.type',
        values: uppercase,
        when: {up: 1, member: 'action', is: ['addTransaction']},
      },
    ],
  }),
  restEntry({
    id: 'payments-amount-fields',
    area: 'Payments',
    item:
      '`externalId`; `amountAuthorized`, `amountPaid`, `amountRefunded`; `authorizedUntil`; ' +
      'Set ExternalId, Set Authorization, Set AmountRefunded, Set AmountPaid actions',
    alternative: '`key`; compute from Transactions; none',
    dates: {deprecated: '2017-09-29', removed: '2017-09-29'},
    detect: [
      paymentField('externalId', 'key'),
      paymentField('amountAuthorized', fromTransactions),
      paymentField('amountPaid', fromTransactions),
      paymentField('amountRefunded', fromTransactions),
      paymentField('authorizedUntil', 'nothing'),
      {in: 'action', action: 'setExternalId', on: ['payments'], among: paymentActions, instead: 'key'},
      paymentAction('setAuthorization', fromTransactions),
      paymentAction('setAmountPaid', fromTransactions),
      paymentAction('setAmountRefunded', fromTransactions),
    ],
  }),
]
