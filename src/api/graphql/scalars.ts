import type {GraphQLScalarType, GraphQLSchema, ValueNode} from 'graphql'
import {isLocale} from '../../domain/rules.js'

/** What the scalars of the API take as arguments. Country and Date have the forms of REST (decision 9). */
const scalars: Readonly<Record<string, {readonly holds: (value: unknown) => boolean; readonly form: string}>> = {
  KeyReferenceInput: {holds: (value) => typeof value === 'string', form: 'the text of a key'},
  Long: {holds: Number.isSafeInteger, form: 'a whole number that JSON carries exactly'},
  Locale: {holds: (value) => typeof value === 'string' && isLocale(value), form: 'a language tag such as de or de-AT'},
  Country: {holds: (value) => typeof value === 'string' && /^[A-Z]{2}$/.test(value), form: 'two capital letters'},
  Date: {holds: (value) => typeof value === 'string', form: 'the text of a day, YYYY-MM-DD'},
}

/** Makes the scalars of a schema check what they are given; built from a text, they take any value. */
export function checkScalars(
  schema: GraphQLSchema,
  {GraphQLError, valueFromASTUntyped}: typeof import('graphql'),
): void {
  for (const [name, {holds, form}] of Object.entries(scalars)) {
    const scalar = schema.getType(name) as GraphQLScalarType
    scalar.parseValue = (value) => {
      if (holds(value)) return value
      throw new GraphQLError(`${name} is ${form}.`)
    }
    // A bare word is a value of an enum, and no text.
    scalar.parseLiteral = (node: ValueNode, variables) =>
      scalar.parseValue(node.kind === 'EnumValue' ? undefined : valueFromASTUntyped(node, variables))
  }
}
