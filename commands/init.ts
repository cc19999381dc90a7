import {linkSync, lstatSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs'
import {dirname, join, resolve} from 'node:path'
import {Args, Flags} from '@oclif/core'
import {BaseCommand} from '../src/cli/command/base-command.js'
import {Failure, usage} from '../src/cli/process/failure.js'
import {makeFolders} from '../src/files/folders.js'
import {temporaryName} from '../src/files/private-file.js'
import {shipped} from '../src/files/shipped.js'

export default class Init extends BaseCommand<typeof Init> {
  static override shows = 'installation' as const
  static override summary = 'Write example files for a new shop'
  static override description =
    'A seed pack (the demo shop), customers to import with their map file, a check suite, and pipelines for GitHub and GitLab, which work together. Files that exist are not replaced without --force.'
  static override examples = ['<%= config.bin %> init shop', '<%= config.bin %> init shop --force --json']
  static override args = {
    folder: Args.string({ignoreStdin: true, default: '.', description: 'target folder; by default the current one'}),
  }
  static override flags = {force: Flags.boolean({summary: 'Replace files that exist.'})}

  async run(): Promise<void> {
    const folder = resolve(this.args.folder)
    const files = starterFiles()
    const names = [...files.keys()]
    await this.effect({
      at: 'machine',
      plan: () => [{folder, files: names}, names.map((name) => `would write ${name}`).join('\n')],
      act: async () => writeFileSet(folder, files, this.flags.force),
    })
    if (this.isDry) return
    const next = [
      'Next, in that folder:',
      '  frontdesk server seed seed --project-key demo',
      '  frontdesk customers import customers.csv --map-file customers.map.json --password-mode external-auth --project-key demo',
      '  frontdesk check run checks.json --project-key demo',
    ]
    await this.output.answer({folder, files: names}, [`Wrote ${names.length} files to ${folder}.`, ...next].join('\n'))
  }
}

/** The files that a shop begins with, by their path in its folder. */
function starterFiles(): ReadonlyMap<string, string> {
  const read = (...path: readonly string[]): string => readFileSync(shipped(...path), 'utf8')
  // The pipeline takes the copied pack, which is the one to change.
  const pipeline = (name: string): string => read('docs', 'ci', name).replaceAll('--seed demo', '--seed seed')
  return new Map([
    ['checks.json', read('fixtures', 'checks', 'staging.json')],
    ['ci/github-actions.yml', pipeline('github-actions.yml')],
    ['ci/gitlab-ci.yml', pipeline('gitlab-ci.yml')],
    ['customers.csv', read('fixtures', 'customers', 'shop-export.csv')],
    ['customers.map.json', read('fixtures', 'customers', 'shop-export.map.json')],
    ...packFiles().map((name) => [`seed/${name}`, read('fixtures', 'demo', name)] as const),
  ])
}

const packFiles = (): readonly string[] => readdirSync(shipped('fixtures', 'demo')).sort()

/**
 * Writes the files below a folder, each atomically. Throws usage, before anything is written, if one exists and may not be
 * replaced, or is no regular file. What fails midway takes back the files that it made.
 */
export function writeFileSet(folder: string, files: ReadonlyMap<string, string>, force: boolean): void {
  for (const name of files.keys()) checkFree(folder, name, force)
  const made: string[] = []
  try {
    for (const [name, text] of files) {
      const path = join(folder, name)
      makeFolders(dirname(path))
      place(path, text, force)
      if (!force) made.push(path)
    }
  } catch (error) {
    for (const path of made) rmSync(path, {force: true})
    const why = error instanceof Error ? error.message : String(error)
    throw new Failure('usage', 'Unwritable', `${folder} cannot be written: ${why}`, {
      hints: ['Name a folder that you can write.'],
      cause: error,
    })
  }
}

function checkFree(folder: string, name: string, force: boolean): void {
  const names = name.split('/')
  for (let depth = 1; depth < names.length; depth += 1) checkFolder(join(folder, ...names.slice(0, depth)))
  const path = join(folder, name)
  const found = lstatSync(path, {throwIfNoEntry: false})
  if (!found) return
  if (!found.isFile()) throw usage(`${path} is not a regular file; nothing was written.`, 'Name another folder.')
  if (!force) {
    throw usage(`${path} exists already; nothing was written.`, 'Name another folder, or add --force to replace it.')
  }
}

/** Links are not followed: they may lead out of the folder that was named. */
function checkFolder(path: string): void {
  const found = lstatSync(path, {throwIfNoEntry: false})
  if (!found || found.isDirectory()) return
  throw usage(`${path} is a link, or not a folder; nothing was written.`, 'Name another folder.')
}

/** They are for the shop's repository, so they have the permissions of any new file. */
function place(path: string, text: string, force: boolean): void {
  const temporary = temporaryName(path)
  try {
    writeFileSync(temporary, text, {flag: 'wx'})
    // A hard link fails if the name was taken meanwhile; a rename would replace it.
    if (force) renameSync(temporary, path)
    else linkSync(temporary, path)
  } finally {
    rmSync(temporary, {force: true})
  }
}
