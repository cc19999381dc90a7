import {hostile, type Random} from './random.js'

/** Values by JSON Schema, some of them mutated. */

export interface Json {
  readonly [member: string]: unknown
}

/** What is in the project, by the name of the member that it may stand in. */
export type Known = Readonly<Record<string, readonly unknown[]>>

const mutated = 0.02
const deepest = 8

export class Bodies {
  readonly #shared: Readonly<Record<string, Json>>
  readonly #known: Known
  readonly #version: () => number

  constructor(shared: Readonly<Record<string, Json>>, known: Known, version: () => number) {
    this.#shared = shared
    this.#known = known
    this.#version = version
  }

  value(schema: Json, random: Random, name = '', depth = 0): unknown {
    if (random.chance(mutated)) return random.pick(hostile)
    if (name === 'version' && random.chance(0.9)) return this.#version()
    const known = this.#known[name]
    if (known && random.chance(0.7)) return random.pick(known)
    if ('const' in schema) return schema['const']
    if (Array.isArray(schema['enum'])) return random.pick(schema['enum'])
    if (typeof schema['$ref'] === 'string') {
      return this.value(this.#shared[schema['$ref'].split('/').at(-1) ?? ''] ?? {}, random, name, depth)
    }
    const choices = (schema['oneOf'] ?? schema['anyOf']) as readonly Json[] | undefined
    if (choices) return this.value(random.pick(choices), random, name, depth)
    if (schema['allOf']) return this.#all(schema['allOf'] as readonly Json[], random, depth)
    return this.#plain(schema, random, name, depth)
  }

  #all(parts: readonly Json[], random: Random, depth: number): unknown {
    return Object.assign({}, ...parts.map((part) => this.value(part, random, '', depth)))
  }

  #plain(schema: Json, random: Random, name: string, depth: number): unknown {
    switch (schema['type']) {
      case 'object':
        return this.#object(schema, random, depth)
      case 'array': {
        const length = depth > deepest ? 0 : random.below(4)
        const items = (schema['items'] ?? {}) as Json
        return Array.from({length}, () => this.value(items, random, name, depth + 1))
      }
      case 'integer':
      case 'number':
        return random.below(random.pick([3, 30, 5_000]))
      case 'boolean':
        return random.chance(0.5)
      case 'string':
        return random.pick(['a', 'Ada', 'ada@example.com', 'Berlin', 'de', `k-${random.below(200)}`])
      default:
        return random.pick(hostile)
    }
  }

  #object(schema: Json, random: Random, depth: number): unknown {
    const properties = (schema['properties'] ?? {}) as Readonly<Record<string, Json>>
    const required = new Set((schema['required'] ?? []) as readonly string[])
    const entries = Object.entries(properties).flatMap(([name, inner]) => {
      const isIn = required.has(name) ? !random.chance(mutated) : depth < deepest && random.chance(0.3)
      return isIn ? [[name, this.value(inner, random, name, depth + 1)] as const] : []
    })
    return Object.fromEntries(entries)
  }
}
