import {textOfCell} from '../input/cell.js'

/**
 * The texts of cells that were read as JSON for a custom field, by the object of the fields: what is wanted, a text or
 * a value, the type of the field says, and that is known when the target has been asked.
 */
const written = new WeakMap<object, Map<string, string>>()

export function keepText(fields: unknown, name: string | number | undefined, text: string): void {
  if (typeof fields !== 'object' || fields === null) return
  const texts = written.get(fields) ?? new Map<string, string>()
  written.set(fields, texts.set(`${name}`, text))
}

interface TypeOfFields {
  readonly fieldDefinitions?: readonly {
    readonly name: string
    readonly type: {readonly name: string; readonly elementType?: {readonly name: string}}
  }[]
}

const ofTexts: ReadonlySet<string | undefined> = new Set([
  'String',
  'Enum',
  'LocalizedEnum',
  'Date',
  'Time',
  'DateTime',
])

const digits = (value: unknown): unknown => (typeof value === 'number' ? textOfCell(value) : value)

/** Gives custom fields whose values are texts their texts: those of their cells, and of numbers the digits. */
export function textsByType(fields: Record<string, unknown>, {fieldDefinitions = []}: TypeOfFields): void {
  for (const {name, type} of fieldDefinitions) {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (value === undefined || value === null || typeof value === 'string') continue
    if (ofTexts.has(type.name)) fields[name] = written.get(fields)?.get(name) ?? digits(value)
    else if (ofTexts.has(type.elementType?.name) && Array.isArray(value)) fields[name] = value.map(digits)
  }
}
