import {readdirSync, readFileSync} from 'node:fs'
import {resolve} from 'node:path'
import {Args, Flags} from '@oclif/core'
import {BaseCommand} from '../src/cli/command/base-command.js'
import {writeFileSet} from '../src/cli/output/file-set.js'
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
    const written = await this.effect({
      at: 'machine',
      plan: () => [{folder, files: names}, names.map((name) => `would write ${name}`).join('\n')],
      act: async () => {
        writeFileSet(folder, files, this.flags.force)
        return true
      },
    })
    if (!written) return
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
