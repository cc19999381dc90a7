import type {DocumentNode, FragmentDefinitionNode, SelectionSetNode} from 'graphql'
import {ApiError} from '../../domain/errors.js'
import {limits} from '../../limits.js'

const tooMuch = (message: string): ApiError => ApiError.of('InvalidInput', {message})

/**
 * Throws InvalidInput for a document that is too deep or selects too much, its fragments written out: a few lines of
 * aliases and fragments can ask for more than anybody could answer. Counts no further than the limit.
 */
export function checkSelections({definitions}: DocumentNode): void {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const definition of definitions) {
    if (definition.kind === 'FragmentDefinition') fragments.set(definition.name.value, definition)
  }
  let count = 0
  const visit = (set: SelectionSetNode | undefined, depth: number): void => {
    if (!set) return
    if (depth > limits.graphqlDepth) throw tooMuch(`A query is nested at most ${limits.graphqlDepth} levels deep.`)
    for (const selection of set.selections) {
      count += 1
      if (count > limits.graphqlFields) throw tooMuch(`A query selects at most ${limits.graphqlFields} fields.`)
      if (selection.kind === 'FragmentSpread') visit(fragments.get(selection.name.value)?.selectionSet, depth + 1)
      else visit(selection.selectionSet, depth + 1)
    }
  }
  for (const definition of definitions) {
    if (definition.kind !== 'OperationDefinition') continue
    if (definition.selectionSet.selections.length > limits.graphqlRoots) {
      throw tooMuch(`A query asks for at most ${limits.graphqlRoots} things at once.`)
    }
    visit(definition.selectionSet, 1)
  }
}

/** Throws InvalidInput once an answer has more values than the limit. */
export function valueCounter(): () => void {
  let count = 0
  return () => {
    count += 1
    if (count > limits.graphqlValues) throw tooMuch(`An answer has at most ${limits.graphqlValues} values.`)
  }
}
