import type {DefinitionNode, DocumentNode, FragmentDefinitionNode, GraphQLResolveInfo, SelectionSetNode} from 'graphql'
import {ApiError} from '../../domain/errors.js'
import {limits} from '../../work/limits.js'

const tooMuch = (message: string): ApiError => ApiError.of('InvalidInput', {message})

const ofData = {depth: limits.graphqlDepth, fields: limits.graphqlFields}
const ofSchema = {depth: limits.graphqlSchemaDepth, fields: limits.graphqlSchemaFields}

/** Whether an operation asks for the schema alone, as tools do: its answer is bounded by the schema. */
const asksForSchema = (definition: DefinitionNode): boolean =>
  definition.kind === 'FragmentDefinition' ||
  (definition.kind === 'OperationDefinition' &&
    definition.selectionSet.selections.every((one) => one.kind === 'Field' && /^__(schema|type)$/.test(one.name.value)))

/**
 * Throws InvalidInput for a document that is too deep or selects too much, its fragments written out: a few lines of
 * aliases and fragments can ask for more than anybody could answer. Fragments that nothing uses count too, since they are
 * validated. Counts no further than the limit. Aliases would ask for the schema many times over.
 */
export function checkSelections({definitions}: DocumentNode): void {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const definition of definitions) {
    if (definition.kind === 'FragmentDefinition') fragments.set(definition.name.value, definition)
  }
  let count = 0
  const used = new Set<FragmentDefinitionNode>()
  const most = definitions.every(asksForSchema) ? ofSchema : ofData
  const visit = (set: SelectionSetNode | undefined, depth: number, isInSchema = false): void => {
    if (!set) return
    if (depth > most.depth) throw tooMuch(`A query is nested at most ${most.depth} levels deep.`)
    for (const selection of set.selections) {
      count += 1
      if (count > most.fields) throw tooMuch(`A query selects at most ${most.fields} fields.`)
      const fragment = selection.kind === 'FragmentSpread' ? fragments.get(selection.name.value) : undefined
      if (fragment) used.add(fragment)
      const name = selection.kind === 'Field' ? selection.name.value : ''
      if (selection.kind === 'Field' && selection.alias && (isInSchema || name === '__schema')) {
        throw tooMuch('A query for the schema has no aliases.')
      }
      const below = selection.kind === 'FragmentSpread' ? fragment?.selectionSet : selection.selectionSet
      visit(below, depth + 1, isInSchema || name === '__schema' || name === '__type')
    }
  }
  for (const definition of definitions) {
    if (definition.kind !== 'OperationDefinition') continue
    if (definition.selectionSet.selections.length > limits.graphqlRoots) {
      throw tooMuch(`A query asks for at most ${limits.graphqlRoots} things at once.`)
    }
    visit(definition.selectionSet, 1)
  }
  for (const fragment of fragments.values()) if (!used.has(fragment)) visit(fragment.selectionSet, 1)
}

const counted = new WeakMap<SelectionSetNode, number>()

function fieldsOf(set: SelectionSetNode | undefined, fragments: GraphQLResolveInfo['fragments']): number {
  if (!set) return 0
  let count = counted.get(set)
  if (count !== undefined) return count
  count = 0
  for (const selection of set.selections) {
    if (selection.kind === 'Field') count += 1
    else if (selection.kind === 'InlineFragment') count += fieldsOf(selection.selectionSet, fragments)
    else count += fieldsOf(fragments[selection.name.value]?.selectionSet, fragments)
  }
  counted.set(set, count)
  return count
}

/** The values that the answer of a field takes at least: the fields asked of each of its objects, or its list itself. */
export function costOf(value: unknown, {fieldNodes, fragments}: GraphQLResolveInfo): number {
  if (typeof value !== 'object' || value === null) return 0
  const fields = fieldNodes.reduce((sum, {selectionSet}) => sum + fieldsOf(selectionSet, fragments), 0)
  return Array.isArray(value) ? value.length * Math.max(fields, 1) : fields
}

export const tooManyValues = (): ApiError => tooMuch(`An answer has at most ${limits.graphqlValues} values.`)
