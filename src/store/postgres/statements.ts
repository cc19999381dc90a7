/** A statement that every connection prepares once, under its name. */
export interface Statement {
  readonly name: string
  readonly text: string
}

const statement = (name: string, text: string): Statement => ({name: `frontdesk_${name}`, text})

// Changes travel as one JSON array of rows, so that one statement serves a single document and an import alike.
const rows = (columns: string): string => `jsonb_to_recordset($2::jsonb) AS r(${columns})`
const content = 'version bigint, doc jsonb, facets jsonb, claims jsonb'
const samePlace = 'd.project = $1 AND d.kind = r.kind AND d.id = r.id'
const sameKey = (table: string): string => `${table}.project = $1 AND ${table}.kind = r.kind AND ${table}.key = r.key`

// Documents

export const getDocuments = statement(
  'get',
  'SELECT id, doc FROM frontdesk.document WHERE project = $1 AND kind = $2 AND id = ANY ($3::text[])',
)

export const findDocument = statement(
  'find',
  `SELECT doc FROM frontdesk.document WHERE project = $1 AND kind = $2
    AND id = (SELECT holder FROM frontdesk.claim WHERE project = $1 AND kind = $2 AND key = $3)`,
)

const versions = `SELECT d.kind, d.id, d.version, d.claims FROM ${rows('kind text, id text')}
  JOIN frontdesk.document d ON ${samePlace}`

export const readVersions = statement('versions', versions)
/** In one order for everybody, so that two commits over the same documents wait for each other instead of failing. */
export const lockVersions = statement('lock_versions', `${versions} ORDER BY d.kind, d.id FOR UPDATE OF d`)

export const insertDocuments = statement(
  'insert',
  `INSERT INTO frontdesk.document (project, kind, id, version, doc, facets, claims)
    SELECT $1, r.kind, r.id, r.version, r.doc, r.facets, r.claims FROM ${rows(`kind text, id text, ${content}`)}`,
)

export const updateDocuments = statement(
  'update',
  `UPDATE frontdesk.document d SET version = r.version, doc = r.doc, facets = r.facets, claims = r.claims
    FROM ${rows(`kind text, id text, expect bigint, ${content}`)} WHERE ${samePlace} AND d.version = r.expect`,
)

export const removeDocuments = statement(
  'remove',
  `DELETE FROM frontdesk.document d USING ${rows('kind text, id text, expect bigint')}
    WHERE ${samePlace} AND d.version = r.expect`,
)

export const walkDocuments = statement(
  'walk',
  `SELECT kind, id, doc, claims FROM frontdesk.document WHERE project = $1 AND (kind, id) > ($2, $3)
    ORDER BY project, kind, id LIMIT $4`,
)

export const countDocuments = statement(
  'count',
  'SELECT coalesce(sum(documents), 0) FROM frontdesk.tally WHERE project = $1 AND kind = $2',
)

export const addToTally = statement(
  'tally',
  `INSERT INTO frontdesk.tally AS t (project, kind, part, documents)
    SELECT $1, r.kind, $3, r.grown FROM ${rows('kind text, grown bigint')}
    ON CONFLICT (project, kind, part) DO UPDATE SET documents = t.documents + excluded.documents`,
)

export const listProjects = statement(
  'projects',
  'SELECT project FROM frontdesk.tally GROUP BY project HAVING sum(documents) > 0 ORDER BY project COLLATE "C"',
)

// Claims

/** Exclusive claims go. */
export const freeClaims = statement(
  'free',
  `DELETE FROM frontdesk.claim c USING ${rows('kind text, key text, holder text')}
    WHERE ${sameKey('c')} AND c.holder = r.holder`,
)

/** Exclusive claims become shared ones, still without a sharer. */
export const openClaims = statement(
  'open',
  `UPDATE frontdesk.claim c SET holder = NULL FROM ${rows('kind text, key text, holder text')}
    WHERE ${sameKey('c')} AND c.holder = r.holder`,
)

/** Takes exclusive claims that nobody has; waits for a commit on its way that takes one. */
export const takeClaims = statement(
  'take',
  `INSERT INTO frontdesk.claim (project, kind, key, holder)
    SELECT $1, r.kind, r.key, r.holder FROM ${rows('kind text, key text, holder text')}
    ON CONFLICT (project, kind, key) DO NOTHING RETURNING kind, key`,
)

/** Rows that sharers lock. They must be committed before, or the sharers would wait for each other. */
export const prepareShared = statement(
  'prepare_shared',
  `INSERT INTO frontdesk.claim (project, kind, key) SELECT $1, r.kind, r.key FROM ${rows('kind text, key text')}
    ON CONFLICT (project, kind, key) DO NOTHING`,
)

const lockClaims = `SELECT c.kind, c.key, c.holder FROM ${rows('kind text, key text')}
  JOIN frontdesk.claim c ON ${sameKey('c')} ORDER BY c.kind, c.key`

export const lockForSharing = statement('lock_for_sharing', `${lockClaims} FOR SHARE OF c`)
export const lockForChange = statement('lock_for_change', `${lockClaims} FOR UPDATE OF c`)

export const listHolders = statement(
  'holders',
  `SELECT c.kind, c.key FROM ${rows('kind text, key text')} JOIN frontdesk.claim c ON ${sameKey('c')}
    WHERE c.holder IS NOT NULL`,
)

export const listSharers = statement(
  'sharers',
  `SELECT s.kind, s.key, s.holder FROM ${rows('kind text, key text')} JOIN frontdesk.share s ON ${sameKey('s')} LIMIT 1`,
)

/** Shared claims without sharers become exclusive. */
export const closeClaims = statement(
  'close',
  `UPDATE frontdesk.claim c SET holder = r.holder FROM ${rows('kind text, key text, holder text')}
    WHERE ${sameKey('c')} AND c.holder IS NULL`,
)

export const joinShares = statement(
  'join',
  `INSERT INTO frontdesk.share (project, kind, key, holder)
    SELECT $1, r.kind, r.key, r.holder FROM ${rows('kind text, key text, holder text')}`,
)

export const leaveShares = statement(
  'leave',
  `DELETE FROM frontdesk.share s USING ${rows('kind text, key text, holder text')}
    WHERE ${sameKey('s')} AND s.holder = r.holder`,
)

/** Rows of shared claims that were locked for change and have no sharer left. */
export const dropUnshared = statement(
  'drop_unshared',
  `DELETE FROM frontdesk.claim c USING ${rows('kind text, key text')} WHERE ${sameKey('c')} AND c.holder IS NULL
    AND NOT EXISTS (SELECT 1 FROM frontdesk.share s WHERE ${sameKey('s')})`,
)
