import {readdirSync, readFileSync, statSync, utimesSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {linesBackwards, linesOf} from '../../src/transfer/files/lines.js'
import {BeforeImages, ImageReader, imagesPath} from '../../src/transfer/jobs/before-images.js'
import {forgetWrites, pruneJobs} from '../../src/transfer/jobs/forget.js'
import {tracesIn} from '../../src/transfer/jobs/traces.js'
import {collected, scratch} from './scratch.js'

describe('transfer · lines of a journal', () => {
  const files = scratch()

  it('are the same from both ends, whatever their lengths, and end with the last whole one', async () => {
    for (const lengths of [[], [0], [5], [0, 0, 3], [65_535, 1, 65_536, 0, 65_537, 200_000, 2], [131_071, 131_072]]) {
      const lines = lengths.map((length, at) => `${at % 2 ? 'ä' : 'x'}`.repeat(length))
      const whole = lines.map((line) => `${line}\n`).join('')
      const path = files.write('lines', `${whole}cut off`)
      const found = await collected(linesOf(path))
      expect(
        found.map(({text}) => text),
        `${lengths}`,
      ).to.deep.equal(lines)
      const bytes = Buffer.byteLength(whole)
      expect(found.at(-1)?.end ?? 0).to.equal(bytes)
      expect(await collected(linesBackwards(path, bytes)), `${lengths}`).to.deep.equal(lines.toReversed())
    }
  })
})

describe('transfer · before-images', () => {
  const files = scratch()
  const image = (row: number, id: string, name = 'Ada') => ({
    ...{row, id, version: 3, upTo: 4, lost: []},
    before: {firstName: name},
  })
  const kept = async (path: string, ...images: ReturnType<typeof image>[]) => {
    const writer = new BeforeImages(path)
    const places = await Promise.all(images.map((one) => writer.keep(one)))
    await writer.close()
    return places
  }
  const read = async (path: string, place: number | undefined, id: string) => {
    const reader = new ImageReader(path)
    const found = await reader.at(place ?? 0, id)
    await reader.close()
    return found
  }

  it('are found by their places, also behind a line that a kill cut off', async () => {
    const path = files.path('20261120-093000125-1a2b3c.before.jsonl')
    const first = await kept(path, image(1, 'a'), image(2, 'b', 'Ü'.repeat(9000)))
    expect(statSync(path).mode & 0o777).to.equal(0o600)
    writeFileSync(path, '{"row":3,"id"', {flag: 'a'})
    const [third] = await kept(path, image(4, 'd'))
    expect(await read(path, first[0], 'a')).to.deep.equal(image(1, 'a'))
    expect((await read(path, first[1], 'b'))?.before).to.deep.equal({firstName: 'Ü'.repeat(9000)})
    expect(await read(path, third, 'd')).to.deep.equal(image(4, 'd'))
    expect(await read(path, first[0], 'another'), 'of another customer').to.equal(undefined)
    const resumed = new BeforeImages(path)
    await resumed.resume((row) => row > 1)
    expect(resumed.earlier(1)).to.equal(undefined)
    expect(resumed.earlier(4)?.at).to.equal(third)
  })

  it('stop at a bound, and what comes later is not kept', async () => {
    const path = files.path('bounded.before.jsonl')
    const writer = new BeforeImages(path, 200)
    const places = [
      await writer.keep(image(1, 'a')),
      await writer.keep(image(2, 'b')),
      await writer.keep(image(3, 'c')),
    ]
    await writer.close()
    expect(places.map((place) => place !== undefined)).to.deep.equal([true, true, false])
    expect(statSync(path).size).to.be.at.most(200)
  })

  it('go with their customer, in every job, and leave the others where they are', async () => {
    const dir = files.dir
    const [one, other] = [imagesPath(dir, 'one'), imagesPath(dir, 'other')]
    const places = await kept(one, image(1, 'gone', 'Secret'), image(2, 'stays'), image(3, 'gone', 'Secret'))
    await kept(other, image(1, 'gone', 'Secret'))
    await forgetWrites(await tracesIn({dir, place: 'anywhere'}, [{id: 'gone'}]), ['gone'])
    expect(readFileSync(one, 'utf8') + readFileSync(other, 'utf8')).not.to.match(/Secret|gone/)
    expect(await read(one, places[0], 'gone')).to.equal(undefined)
    expect(await read(one, places[1], 'stays')).to.deep.equal(image(2, 'stays'))
  })

  it('go after thirty days', async () => {
    const dir = join(files.dir, 'old')
    await import('node:fs/promises').then(({mkdir}) => mkdir(dir))
    const now = Date.parse('2026-11-20T10:00:00Z')
    const jobOf = (days: number) => `20261120-093000125-${String(days).padStart(6, '0')}`
    for (const days of [1, 29, 31, 400]) {
      const path = imagesPath(dir, jobOf(days))
      writeFileSync(path, '{}\n')
      utimesSync(path, now / 1000, now / 1000 - days * 86_400)
    }
    await pruneJobs(dir, now - 30 * 86_400_000)
    expect(readdirSync(dir).toSorted()).to.deep.equal([1, 29].map((days) => `${jobOf(days)}.before.jsonl`))
  })
})
