import type {Document, Facets} from '../../store.js'
import {checksumOf} from '../file/checksum.js'
import type {Entry} from './entry.js'

export type FacetFunctions = Facets[string]

const noFacets: FacetFunctions = {}

export const facetsOf = (facets: Facets, kind: string): FacetFunctions =>
  Object.hasOwn(facets, kind) ? (facets[kind] ?? noFacets) : noFacets

export function facetValues(functions: FacetFunctions, doc: Document): (string | null)[] {
  const values: (string | null)[] = []
  for (const name in functions) values.push(functions[name]?.(doc) ?? null)
  return values
}

/** Tells the facets of two releases apart, by names and versions: the source of functions differs between builds. */
export function facetSignature(functions: FacetFunctions): number {
  const versions = Object.entries(functions).map(([name, {version = 1}]) => [name, version])
  return versions.length === 0 ? 0 : checksumOf(JSON.stringify(versions))
}

export const allFacetsSignature = (facets: Facets): number =>
  checksumOf(JSON.stringify(Object.entries(facets).map(([kind, functions]) => [kind, facetSignature(functions)])))

/** The entry with the facets of this release, where it was written by another. */
export const refaceted = (entry: Entry, functions: FacetFunctions): Entry =>
  entry.version === 0 ? entry : entry.withFacets(facetValues(functions, entry.look()))
