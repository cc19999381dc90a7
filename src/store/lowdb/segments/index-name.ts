/** The name of the index beside a segment. */
export const indexName = (segmentName: string): string => segmentName.replace(/ndjson$/, 'idx')
