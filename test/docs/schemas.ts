import {toJsonSchema} from '@valibot/to-json-schema'
import * as v from 'valibot'
import {Suite} from '../../src/cli/check/suite.js'
import {SeedPackFiles} from '../../src/server/local/seed-pack.js'
import {MapFile} from '../../src/transfer/mapping/mapping.js'

/** The JSON schemas of the files that people write, and of results that programs read; docs/schemas/ has them as files. */

const text = v.string()
const count = v.pipe(v.number(), v.integer(), v.minValue(0))

/** What groups rows that failed, or will. */
const causeMembers = {
  causes: v.optional(
    v.array(
      v.object({
        kind: v.optional(v.picklist(['invalid', 'conflict'])),
        code: text,
        column: v.optional(text),
        message: text,
        example: v.optional(text),
        rows: count,
        first: v.array(v.object({file: v.optional(text), line: count, customer: v.optional(text)})),
        fix: v.optional(text),
      }),
    ),
  ),
  moreCauses: v.optional(count),
  aliases: v.optional(v.record(text, v.record(text, text))),
}

/** `--json` of a command that fails. */
const Failure = v.object({
  error: v.object({
    code: text,
    message: text,
    exitCode: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(255)),
    statusCode: v.optional(count),
    correlationId: v.optional(text),
    hints: v.array(text),
    details: v.array(v.unknown()),
    ...causeMembers,
  }),
})

/** `check run --json`, and the reports of the other checks. */
const CheckReport = v.object({
  suite: text,
  target: v.object({
    profile: v.optional(text),
    projectKey: v.optional(text),
    storeKey: v.optional(text),
    address: text,
  }),
  ok: v.boolean(),
  passed: count,
  failed: count,
  errors: count,
  skipped: count,
  durationMs: count,
  checks: v.array(
    v.object({
      name: text,
      result: v.picklist(['passed', 'failed', 'error', 'skipped']),
      durationMs: count,
      detail: v.optional(text),
      failures: v.array(text),
    }),
  ),
})

/** `customers import --json`. */
const ImportResult = v.object({
  read: count,
  created: count,
  updated: count,
  unchanged: count,
  skipped: count,
  failed: count,
  job: text,
  throttled: v.optional(v.object({answers: count, pausedMs: v.number()})),
  joins: v.optional(
    v.array(
      v.object({
        file: text,
        rows: count,
        joined: count,
        customers: count,
        customersJoined: count,
        shared: count,
        withoutValue: count,
        lines: v.array(count),
        by: v.optional(text),
      }),
    ),
  ),
  report: v.nullable(text),
  inputs: v.optional(
    v.array(
      v.object({
        file: text,
        encoding: v.optional(text),
        because: v.optional(text),
        compression: v.optional(text),
        sheet: v.optional(text),
      }),
    ),
  ),
  ...causeMembers,
  alreadyFinished: v.optional(v.literal(true)),
  finishedAt: v.optional(text),
})

/** A line of `customers import --plan-out`. */
const place = {row: count, file: text, line: count, customer: v.optional(text), identity: text}
const PlanLine = v.union([
  v.object({
    frontdesk: v.literal('plan'),
    format: v.literal(1),
    createdAt: text,
    projectKey: text,
    storeKey: v.optional(text),
    target: text,
    files: v.array(v.object({name: text, bytes: count, sha256: text})),
    options: v.looseObject({}),
  }),
  v.object({...place, do: v.literal('create'), draft: v.looseObject({})}),
  v.object({
    ...place,
    do: v.literal('update'),
    id: text,
    version: count,
    actions: v.array(v.looseObject({action: text})),
  }),
  v.object({...place, do: v.literal('skip'), reason: text}),
  v.object({...place, do: v.picklist(['refuse', 'invalid']), code: text, reason: text}),
  v.object({end: v.record(text, count)}),
])

/** `deprecations check --json`. */
const DeprecationReport = v.object({
  count,
  errors: count,
  warnings: count,
  read: v.object({files: count, entries: count}),
  results: v.array(
    v.object({
      path: text,
      line: v.optional(count),
      column: v.optional(count),
      ruleId: text,
      severity: v.picklist(['error', 'warning']),
      message: text,
      fingerprint: text,
    }),
  ),
})

/** `customers query --json` and its likes. */
const QueryResult = v.object({
  limit: count,
  offset: count,
  count,
  total: v.optional(count),
  results: v.array(v.looseObject({})),
})

const schemas = {
  'map-file': {title: 'A map file of frontdesk customers import', schema: MapFile},
  'check-suite': {title: 'A suite of frontdesk check run', schema: Suite},
  'seed-pack': {title: 'A seed pack: each list as the file of its name has it', schema: SeedPackFiles},
  failure: {title: 'What a command prints with --json when it fails', schema: Failure},
  'check-report': {title: 'frontdesk check run --json, and whoami --check --json', schema: CheckReport},
  'import-result': {title: 'frontdesk customers import --json', schema: ImportResult},
  'import-plan': {title: 'A line of a plan of frontdesk customers import --plan-out', schema: PlanLine},
  'deprecation-report': {title: 'frontdesk deprecations check --json', schema: DeprecationReport},
  'query-result': {title: 'A page, or all, of frontdesk customers query --json', schema: QueryResult},
} as const

/** The files of docs/schemas/ by path. What a program may add to a result later is left open. */
export const schemaPages = (): readonly {readonly path: string; readonly text: string}[] =>
  Object.entries(schemas).map(([name, {title, schema}]) => {
    const {$schema, ...json} = toJsonSchema(schema as never, {
      target: 'draft-07',
      typeMode: 'input',
      // Checks beyond JSON Schema's words, as whether an assertion can be read, are the program's own.
      errorMode: 'ignore',
    })
    return {path: `docs/schemas/${name}.json`, text: `${JSON.stringify({$schema, title, ...json}, null, 2)}\n`}
  })
