import {expect} from 'chai'
import {type CheckedRow, checkRows} from '../../src/transfer/check/checked-rows.js'
import type {Source} from '../../src/transfer/input/row.js'
import type {Match, Mode} from '../../src/transfer/input/row-draft.js'
import type {Mapping} from '../../src/transfer/mapping/mapping.js'
import {inOne, scratch} from './scratch.js'

const today = '2026-11-24'

interface Given {
  readonly mapping?: Mapping
  readonly match?: Match
  readonly mode?: Mode
  readonly name?: string
  readonly areValid?: boolean
  readonly joined?: readonly Source[]
  readonly isOurs?: boolean
}

/** Checks texts as files of rows, for the tests of one file. */
export function checker() {
  const files = scratch()

  async function check(content: string, given: Given = {}) {
    const {
      mapping = {},
      match = 'key',
      mode = 'upsert',
      name = 'a.csv',
      areValid = false,
      joined = [],
      isOurs = true,
    } = given
    const sources = await files.source(name, content)
    const {pieces, notes} = await checkRows({
      sources,
      mapping,
      match,
      mode,
      seed: 7,
      today,
      areValid,
      joined,
      isOurs: async () => isOurs,
    })
    return {rows: await inOne(pieces), notes}
  }

  const one = async (content: string, given?: Given): Promise<CheckedRow> => {
    const [row] = (await check(content, given)).rows
    if (!row) throw new Error('there is no row')
    return row
  }
  const draft = async (content: string, given?: Given): Promise<unknown> => {
    const row = await one(content, given)
    expect(row.issues).to.deep.equal([])
    return row.draft
  }
  const json = (value: unknown, given: Given = {}) => one(JSON.stringify([value]), {...given, name: 'a.json'})
  return {check, one, draft, json}
}
