import {readdirSync, readFileSync} from 'node:fs'
import {expect} from 'chai'
import * as v from 'valibot'
import {operation} from '../../src/api/operation/operation.js'
import type {Facts} from '../../src/domain/action.js'
import {customerActions} from '../../src/domain/customers/actions/index.js'
import type {Customer} from '../../src/domain/customers/customer.js'
import {customerAction} from '../../src/domain/customers/customer-action.js'
import {difference} from '../../src/domain/customers/diff.js'
import {withMember} from '../../src/domain/equal.js'
import {fold} from '../../src/domain/fold.js'
import {optional, Text} from '../../src/domain/rules.js'
import {searchText} from '../../src/domain/search/search-text.js'
import {grants} from '../../src/oauth/scopes.js'
import {parseWhere} from '../../src/query/parser.js'
import {mappingOf} from '../../src/transfer/mapping/mapping.js'

/** What the examples may name. */
const names = {
  ...{
    v,
    operation,
    customerAction,
    difference,
    withMember,
    fold,
    optional,
    Text,
    grants,
    parseWhere,
    mappingOf,
    searchText,
  },
  setKey: customerActions.get('setKey'),
  ada: {id: 'ada', version: 1, email: 'ada@example.com', addresses: [], stores: []} as unknown as Customer,
  facts: {} as Facts,
}

interface Example {
  readonly path: string
  readonly call: string
  readonly result: string
}

/** Indented code in a docstring that ends in a comment with its value. */
const example = /((?:^ *\* {5}(?!\/\/).*\n)+)^ *\* {5}\/\/ (.*)\n/gm

const examples = readdirSync('src', {recursive: true, encoding: 'utf8'})
  .filter((path) => path.endsWith('.ts'))
  .flatMap((path): Example[] =>
    [...readFileSync(`src/${path}`, 'utf8').matchAll(example)].map(([, code = '', result = '']) => ({
      path,
      call: code.replaceAll(/^ *\* {5}/gm, '').trim(),
      result,
    })),
  )

const evaluated = (code: string): unknown =>
  new Function(...Object.keys(names), `return (${code})`)(...Object.values(names))

describe('docs · examples in docstrings', () => {
  it('are found', () => {
    expect(examples.length).to.be.at.least(7)
  })

  for (const {path, call, result} of examples) {
    it(`${path}: ${call.split('\n', 1)[0]}`, () => {
      expect(evaluated(call)).to.deep.equal(evaluated(result))
    })
  }
})
