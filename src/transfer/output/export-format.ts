/** The formats of an export. Apart from what writes them, since flags are read at every start. */
export const exportFormats = ['csv', 'json', 'jsonl'] as const

export type ExportFormat = (typeof exportFormats)[number]
