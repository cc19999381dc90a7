export type SourceKind = 'json' | 'jsonl' | 'har' | 'graphql' | 'text' | 'scopes'

const kinds: Readonly<Record<Exclude<SourceKind, 'scopes'>, string>> = {
  json: 'json jsonc json5 webmanifest',
  jsonl: 'jsonl ndjson',
  har: 'har',
  graphql: 'graphql graphqls gql',
  text:
    'env properties ini conf cfg toml yaml yml http rest sh bash zsh tf tfvars py java kt kts php cs go rb rs swift ' +
    'scala dart groovy gradle',
}

const byExtension = new Map(
  Object.entries(kinds).flatMap(([kind, extensions]) =>
    extensions.split(' ').map((extension): [string, SourceKind] => [extension, kind as SourceKind]),
  ),
)

/** Whether a name is that of JavaScript or TypeScript, which is not read: what it sends shows only when it runs. */
export const isScript = (path: string): boolean => /\.(?:[mc]?[jt]s|[jt]sx|vue|svelte|astro)$/i.test(path)

/** How a file is read, by its extension. Undefined for unknown extensions. */
export const kindOfName = (path: string): SourceKind | undefined => {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1).toLowerCase()
  if (/^\.env(?:\.|$)|\.env$/.test(name)) return 'text'
  return byExtension.get(name.slice(name.lastIndexOf('.') + 1))
}

const looksLikeJsonLines = (text: string): boolean => {
  const [first = '', second = ''] = text.trimStart().split('\n', 2)
  return /^[{[].*[}\]]\s*$/.test(first) && /^\s*[{[]/.test(second)
}

/** How a text is read: by its extension, else by its first characters. */
export const kindOf = (path: string, text: string): SourceKind => {
  const named = kindOfName(path)
  if (named) return named
  const begin = text
    .slice(0, 10_000)
    .replace(/^\uFEFF/, '')
    .trimStart()
  if (looksLikeJsonLines(begin)) return 'jsonl'
  if (/^\[/.test(begin) || /^\{\s*["}]/.test(begin)) return 'json'
  if (/^(?:query|mutation|subscription|fragment)\b[^;=]*\{/.test(begin) || /^\{\s*\w+\s*[({\n]/.test(begin))
    return 'graphql'
  return 'text'
}
