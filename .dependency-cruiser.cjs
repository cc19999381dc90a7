'use strict'

// The layer rules of src/README.md. A folder may import what its row names, itself, and nothing else of ours.
const layers = {
  work: [],
  files: ['domain'],
  domain: ['work'],
  query: ['domain', 'work'],
  oauth: ['domain', 'work'],
  store: ['domain', 'files', 'query', 'work'],
  secrets: ['domain', 'work'],
  api: ['domain', 'oauth', 'query', 'work'],
  server: ['api', 'domain', 'files', 'oauth', 'query', 'store', 'secrets', 'work'],
  client: ['api', 'domain', 'files'],
  transfer: ['client', 'domain', 'files', 'work'],
  deprecations: ['files'],
  cli: ['client', 'transfer', 'deprecations', 'domain', 'files', 'query', 'work'],
}

/** What declares operations, or says who may call them: what runs them stays inside the API. */
const declarations =
  '^src/api/(index|declarations|operation/(permit|collection-table)|accounts/(access-state|batch|emails|sign-up|passwords|sign-in)|customers/updates|[a-z]+/operations|project/messages)\\.ts$'

/** What a folder may import for its types only, and what only by `await import()`. */
const typesOnly = {api: ['store', 'secrets'], cli: ['api'], transfer: ['api'], client: ['server', 'store']}
const dynamicOnly = {client: ['server', 'store', 'secrets']}

const anyOf = (names) => `^src/(${names.join('|')})/`
const all = Object.keys(layers)

const layerRules = all.map((name) => {
  const allowed = new Set([name, ...layers[name], ...(typesOnly[name] ?? []), ...(dynamicOnly[name] ?? [])])
  const forbidden = all.filter((other) => !allowed.has(other))
  return {name: `layer-${name}`, severity: 'error', from: {path: `^src/${name}/`}, to: {path: anyOf(forbidden)}}
})

const typeRules = Object.entries(typesOnly).map(([name, others]) => ({
  name: `types-only-${name}`,
  severity: 'error',
  from: {path: `^src/${name}/`},
  to: {
    path: anyOf(others),
    // The port itself is a contract, with the errors that adapters throw; what implements it stays out.
    pathNot: ['^src/store/store\\.ts$', ...(name === 'api' ? [] : [declarations])],
    dependencyTypesNot: ['type-only'],
    dynamic: false,
  },
}))

const dynamicRules = Object.entries(dynamicOnly).map(([name, others]) => ({
  name: `dynamic-only-${name}`,
  severity: 'error',
  from: {path: `^src/${name}/`},
  to: {path: anyOf(others), dynamic: false, dependencyTypesNot: ['type-only']},
}))

/** The rooms of `transfer` by the way of a row: each may import those before it. What a user asks for stands above all. */
const rooms = [
  ...['files', 'input', 'mapping', 'presets', 'check', 'send'],
  ...['output', 'jobs', 'write', 'target', 'undo', 'run', 'template', '[^/]+\\.ts$'],
]
const roomRules = rooms.slice(0, -1).map((room, at) => ({
  name: `transfer-${room}-imports-what-is-below`,
  severity: 'error',
  from: {path: `^src/transfer/${room}/`},
  to: {path: `^src/transfer/(${rooms.slice(at + 1).join('|')})`},
}))

/** A library that only one folder may know. */
const only = (library, folders) => ({
  name: `only-${folders.join('-')}-imports-${library.replace(/\W+/g, '-')}`,
  severity: 'error',
  from: {path: '^(src|commands)/', pathNot: `^src/(${folders.join('|')})[/.]`},
  to: {path: `^node_modules/${library}/`, dependencyTypesNot: ['type-only']},
})

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'also of types alone: what two files share stands in a third, below both',
      severity: 'error',
      from: {path: '^(src|commands)/'},
      to: {circular: true},
    },
    {
      name: 'no-development-dependency-at-run-time',
      comment:
        'an installed package has none of them; what only the command line needs is bundled into it, GraphQL beside it',
      severity: 'error',
      from: {path: '^src/', pathNot: '^src/(cli|deprecations|api/graphql)/'},
      to: {dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only']},
    },
    ...layerRules,
    ...typeRules,
    ...dynamicRules,
    ...roomRules,
    only('lowdb', ['store']),
    only('pg', ['store']),
    only('bcryptjs', ['secrets']),
    only('find-my-way', ['server']),
    only('undici', ['client', 'server', 'cli/check', 'domain/verified-tls']),
    only('csv-parse', ['transfer']),
    only('graphql', ['api', 'deprecations']),
    only('jsonc-parser', ['deprecations']),
    only('inquirer', ['cli']),
    only('cli-table3', ['cli']),
    only('string-width', ['cli']),
    only('chalk', ['cli']),
    {
      name: 'adapters-apart',
      comment: 'adapters of the store share what is in store/adapter, and know nothing of each other',
      severity: 'error',
      from: {path: '^src/store/(lowdb|postgres|shared)/'},
      to: {path: '^src/store/(lowdb|postgres)/', pathNot: '^src/store/$1/'},
    },
    {
      name: 'files-knows-errors-only',
      severity: 'error',
      from: {path: '^src/files/'},
      to: {path: '^src/domain/', pathNot: '^src/domain/errors\\.ts$'},
    },
    {
      name: 'pure-folders',
      comment:
        'domain, query and oauth decide; they read no clock, disk, network or randomness (of `net` the texts of addresses)',
      severity: 'error',
      from: {path: '^src/(domain|query|oauth)/'},
      to: {dependencyTypes: ['core'], pathNot: '^(node:)?net$'},
    },
    {
      name: 'layer-commands',
      severity: 'error',
      from: {path: '^commands/'},
      to: {path: anyOf(all.filter((name) => !['api', 'cli', ...layers.cli].includes(name)))},
    },
    {
      name: 'types-only-commands',
      severity: 'error',
      from: {path: '^commands/'},
      to: {path: anyOf(['api']), pathNot: declarations, dependencyTypesNot: ['type-only']},
    },
    {
      name: 'rooms-import-one-way',
      comment: 'of two rooms one stands below the other, and there is no ring of them',
      scope: 'folder',
      severity: 'error',
      from: {path: '^src/', pathNot: '^src/(transfer/input|store/lowdb|server)/'},
      to: {circular: true},
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: {fileName: 'tsconfig.json'},
    doNotFollow: {path: 'node_modules'},
    exclude: {path: '^(dist|test)/'},
    enhancedResolveOptions: {exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types']},
  },
}
