import type {Document, Facets} from '../../store.js'
import {checksumOf} from './record.js'

export type FacetFunctions = Facets[string]

const noFacets: FacetFunctions = {}

export const facetsOf = (facets: Facets, kind: string): FacetFunctions =>
  Object.hasOwn(facets, kind) ? (facets[kind] ?? noFacets) : noFacets

export const facetValues = (functions: FacetFunctions, doc: Document): (string | null)[] =>
  Object.values(functions).map((facet) => facet(doc) ?? null)

/**
 * Tells the facets of two releases apart, since files keep what the functions said when a document was written. Names
 * and versions count, not the text of the functions, which differs between builds of the same sources.
 */
export function facetSignature(functions: FacetFunctions): number {
  const versions = Object.entries(functions).map(([name, {version = 1}]) => [name, version])
  return versions.length === 0 ? 0 : checksumOf(JSON.stringify(versions))
}

export const allFacetsSignature = (facets: Facets): number =>
  checksumOf(JSON.stringify(Object.entries(facets).map(([kind, functions]) => [kind, facetSignature(functions)])))
