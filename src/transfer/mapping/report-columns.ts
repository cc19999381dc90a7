/** Columns of a report beside the source's own; reading a report back passes over them. */
export const reportColumns = ['_line', '_outcome', '_code', '_message', '_correlationId', '_file'] as const

const reserved: ReadonlySet<string> = new Set(reportColumns)

export const isReportColumn = (column: string): boolean => reserved.has(column)
