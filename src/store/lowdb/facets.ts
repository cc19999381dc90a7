import type {Document, Facets} from '../store.js'
import {checksumOf} from './checksum.js'

export type FacetFunctions = Facets[string]

const noFacets: FacetFunctions = {}

export const facetsOf = (facets: Facets, kind: string): FacetFunctions =>
  Object.hasOwn(facets, kind) ? (facets[kind] ?? noFacets) : noFacets

export const facetValues = (functions: FacetFunctions, doc: Document): (string | null)[] =>
  Object.values(functions).map((facet) => facet(doc) ?? null)

/**
 * Tells the facets of two releases apart, since files keep what the functions said when a document was written. A
 * function that closes over something looks the same whatever that is: a facet that changes its meaning needs a new name.
 */
export function facetSignature(functions: FacetFunctions): number {
  const texts = Object.entries(functions).map(([name, facet]) => `${name}:${facet.toString()}`)
  return texts.length === 0 ? 0 : checksumOf(JSON.stringify(texts))
}

export const allFacetsSignature = (facets: Facets): number =>
  checksumOf(JSON.stringify(Object.entries(facets).map(([kind, functions]) => [kind, facetSignature(functions)])))
