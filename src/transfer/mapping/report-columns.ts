/** Columns of a report beside the source's own. Reading a report back passes over all but `emptyColumn`. */
export const reportColumns = ['_line', '_outcome', '_code', '_message', '_correlationId', '_file', '_empty'] as const

/** Names members of a JSON row that were null or empty, separated by blanks; a cell cannot say so. */
export const emptyColumn = '_empty'

const reserved: ReadonlySet<string> = new Set(reportColumns)

export const isReportColumn = (column: string): boolean => reserved.has(column)
