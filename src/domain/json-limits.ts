/** What a JSON document may be, whoever reads it and before any schema sees it (decision 13). */
export const jsonLimits = {depth: 32, members: 10_000, stringCharacters: 65_536}
