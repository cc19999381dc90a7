/** The name of the index beside a run. */
export const indexName = (runName: string): string => runName.replace(/ndjson$/, 'idx')
