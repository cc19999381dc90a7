import {existsSync, readdirSync, readFileSync, statSync} from 'node:fs'
import {createRequire} from 'node:module'
import {basename, dirname, join} from 'node:path'
import {expect} from 'chai'
import {operations} from '../src/api/index.js'
import {topics} from '../src/cli/command/help-topics.js'
import {forms} from '../src/cli/output/view.js'
import {catalogue} from '../src/domain/errors.js'
import {exportFormats} from '../src/transfer/output/export-format.js'
import {presetNames} from '../src/transfer/presets/preset-names.js'
import {limits} from '../src/work/limits.js'
import {pagesWithTables} from './docs/tables.js'
import {groups} from './security/mutations/groups.js'

/** Rules of the house that a machine can check. */

function filesBelow(folder: string, ending: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    if (statSync(path).isDirectory()) return filesBelow(path, ending)
    return name.endsWith(ending) ? [path] : []
  })
}

const text = (path: string): string => readFileSync(path, 'utf8')
const sources = [...filesBelow('src', '.ts'), ...filesBelow('commands', '.ts')]
const tests = filesBelow('test', '.ts')
const tooLong = (paths: readonly string[]): string[] => paths.filter((path) => text(path).split('\n').length > 251)
const kebab = /^[a-z0-9]+(-[a-z0-9]+)*\.ts$/

describe('tidy', () => {
  it('keeps source files at 250 lines and named in kebab case', () => {
    expect(tooLong(sources)).to.deep.equal([])
    expect(sources.filter((path) => !kebab.test(basename(path)))).to.deep.equal([])
  })

  it('holds test files to the same', () => {
    expect(tooLong([...tests, ...filesBelow('test', 'js')])).to.deep.equal([])
    expect(tests.filter((path) => !kebab.test(basename(path).replace('.test.ts', '.ts')))).to.deep.equal([])
  })

  it('names no folder after nothing in particular', () => {
    const vague = /\/(utils?|helpers?|common|lib|types|misc|managers?|services?)\//
    expect(sources.filter((path) => vague.test(path))).to.deep.equal([])
  })

  it('keeps a folder at 24 files beside its subfolders', () => {
    const sizes = new Map<string, number>()
    for (const path of [...sources, ...tests]) sizes.set(dirname(path), (sizes.get(dirname(path)) ?? 0) + 1)
    expect([...sizes].filter(([, files]) => files > 24)).to.deep.equal([])
  })

  it('leaves no unfinished business and no focused or skipped test', () => {
    const unfinished = new RegExp(`\\b(TO${''}DO|FIX${''}ME|not implemented)\\b`)
    expect(sources.filter((path) => unfinished.test(text(path)))).to.deep.equal([])
    const focused = new RegExp(`\\b(it|describe)\\.(only|sk${''}ip)\\(`)
    expect(tests.filter((path) => focused.test(text(path)))).to.deep.equal([])
  })

  it('writes to a terminal in one place, and past its guard only where that is meant', () => {
    const direct =
      /\bconsole\.|process\.(?:stdout|stderr)\.(?:write|end)\(|writeSync\(\s*[12]\s*,|\/dev\/(?:tty|stdout|stderr)/
    const isDirect = (path: string): boolean => direct.test(text(path).replaceAll(/^\s*(?:\/\/|\*).*$/gm, ''))
    expect(sources.filter(isDirect)).to.deep.equal([])
    const past = sources.filter((path) => /\bunguarded\(|\boutput: process\./.test(text(path)))
    expect(past).to.have.members(['src/cli/desk/screen-prompter.ts', 'src/cli/input/ask.ts', 'commands/server/exec.ts'])
  })

  it('cites only decisions that are written down', () => {
    const known = new Set([...text('src/decisions.md').matchAll(/^(\d+)\. /gm)].map(([, number]) => number))
    const cited = [...sources, ...tests, 'src/README.md', 'src/performance.md'].flatMap((path) =>
      [...text(path).matchAll(/[Dd]ecisions?:? (\d+)[a-z]?/g)].map(([, number]) => ({path, number})),
    )
    expect(cited.length).to.be.greaterThan(20)
    expect(cited.filter(({number}) => !known.has(number))).to.deep.equal([])
    expect(
      [...known].filter((number) => !cited.some((one) => one.number === number)),
      'cited nowhere',
    ).to.deep.equal([])
  })

  it('asks each numbered check once, and refers to none that is not asked', () => {
    const rows = [...text('test/security/checks.md').matchAll(/^\| ([A-Z]-?\d+)/gm)].map(([, number]) => number)
    expect(rows.length).to.be.greaterThan(290)
    const {numbers} = createRequire(import.meta.url)('./security/checks.cjs') as {numbers: string[]}
    expect(numbers, 'rows without a question').to.deep.equal(rows)
    expect(new Set(rows).size, 'a number stands twice').to.equal(rows.length)
    const cited = [...sources, ...tests].flatMap((path) =>
      [...text(path).matchAll(/\(((?:S-\d{2,3}|[A-MP]\d\d))\b|['`"]((?:S-\d{2,3}|[A-MP]\d\d)) /g)].map(
        ([, inText, atHead]) => ({
          path,
          number: inText ?? atHead,
        }),
      ),
    )
    expect(cited.length).to.be.greaterThan(250)
    expect(cited.filter(({number}) => !rows.includes(number))).to.deep.equal([])
  })

  it('gives every value of every flag in some test that knows the flag', () => {
    const {commands} = JSON.parse(text('oclif.manifest.json')) as {
      commands: Record<string, {flags: Record<string, {options?: string[]}>}>
    }
    const known = Object.values(commands).flatMap(({flags}) =>
      Object.entries(flags).flatMap(([flag, {options = []}]) => options.map((value) => ({flag, value}))),
    )
    expect(known.length).to.be.greaterThan(100)
    const texts = tests.filter((path) => path.endsWith('.test.ts')).map(text)
    const isGiven = ({flag, value}: {flag: string; value: string}): boolean => {
      const names = new RegExp(`--${flag}(?![\\w-])`)
      const says = new RegExp(`['"\` =,]${value}(?![\\w-])`)
      const loops = Object.entries({presetNames, forms, exportFormats}).flatMap(([name, values]) =>
        (values as readonly string[]).includes(value) ? [`of ${name})`] : [],
      )
      return texts.some((one) => names.test(one) && (says.test(one) || loops.some((loop) => one.includes(loop))))
    }
    const never = known.filter((one) => !isGiven(one)).map(({flag, value}) => `--${flag} ${value}`)
    expect([...new Set(never)]).to.deep.equal([])
  })

  it('finds the text of every mutation once, and the tests that should notice it', () => {
    const stale = groups.flatMap(({mutations}) =>
      mutations.flatMap(({file, find, meaning}) => {
        const times = existsSync(file) ? text(file).split(find).length - 1 : 0
        return times === 1 ? [] : [`${file}: ${meaning}: ${times} times`]
      }),
    )
    expect(stale).to.deep.equal([])
    const folders = groups.flatMap((group) => group.folders ?? [])
    const named = [...folders, ...groups.flatMap(({tests}) => tests.map((name) => `test/${name}.test.ts`))]
    expect(named.filter((path) => !existsSync(path))).to.deep.equal([])
  })

  it('declares a permission, a summary and an area for every operation', () => {
    for (const {id, permission, summary, area} of operations) {
      expect(permission.kind, id).to.be.oneOf(['open', 'basic', 'bearer', 'admin'])
      expect(summary, id).to.match(/^[a-z]/)
      expect(area, id).to.not.equal('')
      if (permission.kind === 'bearer') expect(permission.anyOf.length, id).to.be.greaterThan(0)
    }
    expect(operations.filter(({permission}) => permission.kind === 'open').map(({id}) => id)).to.deep.equal([
      'health',
      'openApi',
    ])
  })

  it('throws every error of the catalogue somewhere, and no other', () => {
    const all = sources
      .filter((path) => !path.endsWith('domain/errors.ts'))
      .map(text)
      .join('\n')
    const unused = Object.keys(catalogue).filter((code) => !all.includes(`'${code}'`))
    expect(unused.filter((code) => code !== 'ResourceNotFound')).to.deep.equal([])
  })

  it('imports at run time only what is installed with the package', () => {
    const {dependencies, devDependencies} = JSON.parse(text('package.json')) as Record<string, object>
    const imported = (path: string): string[] =>
      [...text(path).matchAll(/^(?:import|export) (?!type )[^']*?from '([^'.][^']*)'|\bimport\('([^'.][^']*)'\)/gm)]
        .filter(([statement]) => !/^import \{(?: ?type \w+,?)+ ?\} from/.test(statement))
        .map(([, whole = '', late = '']) => whole || late)
        .filter((name) => !name.startsWith('node:'))
        .map((name) => name.split('/', name.startsWith('@') ? 2 : 1).join('/'))
    // What only the command line uses is bundled into it, and GraphQL is a file beside it and the library.
    const isBundled = (path: string): boolean => /^(?:commands|src\/(?:cli|deprecations|api\/graphql))\//.test(path)
    const names = new Set(sources.filter((path) => !isBundled(path)).flatMap(imported))
    expect(names).to.include.all.keys('valibot', 'pg', '@valibot/to-json-schema')
    const known = Object.keys(dependencies ?? {})
    expect([...names].filter((name) => !known.includes(name))).to.deep.equal([])
    expect(Object.keys(devDependencies ?? {}).filter((name) => Object.hasOwn(dependencies ?? {}, name))).to.deep.equal(
      [],
    )
  })

  it('keeps the generated tables fresh', () => {
    const pages = pagesWithTables()
    for (const page of pages) expect(text(page.path), `${page.path}: run npm run docs`).to.equal(page.text)
    const all = pages.map((page) => page.text).join('\n')
    for (const cell of ['| `/customers` |', '| 1,048,576 |', '| `r` |', '| `one-time-token` |']) {
      expect(all).to.include(cell)
    }
  })

  it('has at most twelve documents, whose links lead somewhere', () => {
    const documents = readdirSync('docs').filter((name) => name.endsWith('.md'))
    expect(documents.length).to.be.at.most(12)
    const anchor = (heading: string): string =>
      heading
        .toLowerCase()
        .replace(/[^\w\s-]/g, '')
        .trim()
        .replaceAll(' ', '-')
    const pages = ['.', 'docs', 'src'].flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
    const broken = pages
      .filter((path) => path.endsWith('.md'))
      .flatMap((path) =>
        [...text(path).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)].flatMap(([link, file = '', at]) => {
          const target = file === '' ? path : join(dirname(path), file)
          if (!existsSync(target)) return [`${path}: ${link}`]
          const anchors = [...text(target).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchor(heading))
          return at === undefined || anchors.includes(at) ? [] : [`${path}: ${link}`]
        }),
      )
    expect(broken).to.deep.equal([])
  })

  it('has every room in the map, and no other', () => {
    const [, table = '', below = ''] = /## Rooms\n\n(.*?)\n\n(.*?)\n\n/s.exec(text('src/README.md')) ?? []
    const named = (cells: string): string[] =>
      [...cells.matchAll(/`([a-z/-]+)`/g)].map(([, name = '']) => basename(name))
    const floors = [...table.matchAll(/^\| `([a-z]+)` \| (.*) \|$/gm)]
    expect(floors.length).to.be.greaterThan(7)
    for (const [, floor = '', row = ''] of floors) {
      const paths = readdirSync(join('src', floor), {recursive: true, encoding: 'utf8'})
      const there = new Set(paths.map((path) => basename(path, '.ts')))
      const unknown = named(row).filter((name) => !there.has(name))
      const folders = paths.filter((path) => statSync(join('src', floor, path)).isDirectory())
      const unnamed = folders.filter((folder) => !named(row + below).includes(basename(folder)))
      expect([...unknown, ...unnamed], floor).to.deep.equal([])
    }
  })

  it('reads every limit of the table', () => {
    const all = sources.map(text).join('\n')
    expect(
      Object.keys(limits).filter((name) => !new RegExp(`\\blimits\\.${name}\\b|[{ ]${name}} = limits`).test(all)),
    ).to.deep.equal([])
  })

  it('packs and leaves out only what is there', () => {
    const {files} = JSON.parse(text('package.json')) as {files: string[]}
    const {exclude = []} = JSON.parse(text('tsconfig.json')) as {exclude?: string[]}
    const named = [...files, ...exclude].map((path) => path.replace(/^[!/]+/, ''))
    // What a build makes may be older than its list.
    const paths = named.filter((path) => !path.startsWith('dist/'))
    const missing = paths.filter((path) => {
      const [folder = '', ending] = path.split('/*')
      return !existsSync(folder) || (ending !== undefined && !readdirSync(folder).some((name) => name.endsWith(ending)))
    })
    expect(missing).to.deep.equal([])
  })

  it('lists every variable that is read in help environment', () => {
    const listed = topics.get('environment')?.text() ?? ''
    const read = sources.flatMap((path) => text(path).match(/\b(?:FRONTDESK_[A-Z_]*[A-Z]|PGPASSWORD)\b/g) ?? [])
    expect([...new Set(read)].filter((name) => !listed.includes(name))).to.deep.equal([])
  })
})
