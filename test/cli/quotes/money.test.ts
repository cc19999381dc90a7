import {expect} from 'chai'
import {moneyText} from '../../../src/cli/output/money.js'

describe('cli · money', () => {
  it('has the digits of its own currency and no others', () => {
    const money = (centAmount: number, fractionDigits: number, currencyCode = 'EUR') => ({
      type: 'centPrecision',
      currencyCode,
      centAmount,
      fractionDigits,
    })
    expect(moneyText(money(204030, 2))).to.equal('2040.30 EUR')
    expect(moneyText(money(12000, 0, 'JPY'))).to.equal('12000 JPY')
    expect(moneyText(money(1, 3, 'KWD'))).to.equal('0.001 KWD')
    expect(moneyText(money(-5, 2))).to.equal('-0.05 EUR')
    expect(moneyText({...money(1235, 5), type: 'highPrecision', preciseAmount: 123456})).to.equal('1.23456 EUR')
    expect(moneyText(undefined)).to.equal('')
  })
})
