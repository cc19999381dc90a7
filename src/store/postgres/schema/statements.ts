import type {Insertion, Statement} from '../connection/connections.js'

export const statement = (name: string, text: string): Statement => ({name: `frontdesk_${name}`, text})

/**
 * Values are the project, then the columns without a source of their own, in order. A column is `name type source`: its
 * type, unless it is text, and the column whose value it is, unless its own.
 */
export function insertion(name: string, table: string, columns: readonly string[], behind = ''): Insertion {
  const parts = columns.map((column) => column.split(' '))
  const given = parts.filter(({length}) => length < 3).map(([column]) => column)
  const into = `INSERT INTO frontdesk.${table} AS t (project, ${parts.map(([column]) => column).join(', ')})`
  const values = (of: (column: string) => string) =>
    parts.map(([column = '', type, source = column]) => (type ? `${of(source)}::${type}` : of(source))).join(', ')
  const arrays = given.map((_, at) => `$${at + 2}::text[]`).join(', ')
  const one = values((column) => `$${given.indexOf(column) + 2}::text`)
  const many = `${values((column) => `r.${column}`)} FROM unnest(${arrays}) AS r(${given.join(', ')})`
  return {
    many: statement(`${name}_many`, `${into} SELECT $1, ${many} ${behind}`),
    one: statement(name, `${into} VALUES ($1, ${one}) ${behind}`),
  }
}

// Everything is looked up by its full primary key, so that no plan depends on statistics.
/**
 * A document as it was written. `doc` takes precedence: without a `body`, or if `doc` was changed directly in the
 * database, its members have the database's order.
 */
const whole = 'CASE WHEN body::jsonb = doc THEN body ELSE doc::text END'
const isLong = 'octet_length(body) > 65536'
/** As `whole`, null for a long one: a page of those would fill the memory, so that each is read once there is room for it. */
export const wholeUnlessLong = `CASE WHEN ${isLong} THEN NULL ELSE ${whole} END`
/** The id and the bytes of a long one. */
export const longOne = `CASE WHEN ${isLong} THEN id END, CASE WHEN ${isLong} THEN octet_length(body) END`
export const thisDocument = 'project = $1 AND kind = $2 AND id = $3'
const thisUniqueKey = 'project = $1 AND kind = $2 AND key = $3'
const thisHolder = `${thisUniqueKey} AND holder = $4`

// Documents

export const getDocument = statement('get', `SELECT ${whole} FROM frontdesk.document WHERE ${thisDocument}`)

/** The holder of a unique key, where all rows lie on one node. */
export const findDocument = statement(
  'find',
  `SELECT ${whole} FROM frontdesk.document WHERE project = $1 AND kind = $2
    AND id = (SELECT holder FROM frontdesk.unique_key WHERE ${thisUniqueKey})`,
)

export const readVersion = statement(
  'version',
  `SELECT version, unique_keys FROM frontdesk.document WHERE ${thisDocument}`,
)
/** Keeps a document from being changed, but not from being required. */
export const lockForReplacing = statement('lock_version', `${readVersion.text} FOR NO KEY UPDATE`)
export const lockForRemoving = statement('lock_removal', `${readVersion.text} FOR UPDATE`)

/** Keeps a document from being changed or removed, but not from being required. */
export const lockForRequiring = statement('lock_required', `${readVersion.text} FOR SHARE`)

/** Keeps a document from being removed, not from being changed. */
export const lockPresence = statement(
  'lock_presence',
  `SELECT id FROM frontdesk.document WHERE ${thisDocument} FOR KEY SHARE`,
)

/** Keeps a document from being changed or required while its content is looked at. */
export const lockDocument = statement(
  'lock',
  `SELECT version, ${whole} FROM frontdesk.document WHERE ${thisDocument} FOR UPDATE`,
)

const documentColumns = ['kind', 'id', 'version bigint', 'body', 'doc jsonb body', 'facets jsonb', 'unique_keys jsonb']
export const insertDocuments = insertion('insert', 'document', documentColumns)

// A document that was removed and made again has the same version, but perhaps not the unique keys that are being
// replaced.
const asRead = `${thisDocument} AND version = $4 AND unique_keys IS NOT DISTINCT FROM $5::jsonb`

export const updateDocument = statement(
  'update',
  `UPDATE frontdesk.document SET version = $6, doc = $7::text::jsonb, body = $7::text, facets = $8, unique_keys = $9 WHERE ${asRead}`,
)

/** Of a row that is locked. */
export const setFacets = statement('facets', `UPDATE frontdesk.document SET facets = $4 WHERE ${thisDocument}`)

export const removeDocument = statement('remove', `DELETE FROM frontdesk.document WHERE ${asRead}`)

export const walkDocuments = statement(
  'walk',
  `SELECT kind, id, ${wholeUnlessLong}, unique_keys FROM frontdesk.document WHERE project = $1 AND (kind, id) > ($2, $3)
    ORDER BY project, kind, id LIMIT $4`,
)

export const countDocuments = statement(
  'count',
  'SELECT coalesce(sum(documents), 0) FROM frontdesk.tally WHERE project = $1 AND kind = $2',
)

export const addToTally = insertion(
  'tally',
  'tally',
  ['kind', 'part integer', 'documents bigint'],
  'ON CONFLICT (project, kind, part) DO UPDATE SET documents = t.documents + excluded.documents',
)

export const listProjects = statement(
  'projects',
  'SELECT project FROM frontdesk.tally GROUP BY project HAVING sum(documents) > 0 ORDER BY project COLLATE "C"',
)

/** Written after the documents, whose rows keep others away. */
export const putSearchTexts = insertion(
  'put_search',
  'search',
  ['kind', 'id', 'words'],
  'ON CONFLICT (project, kind, id) DO UPDATE SET words = excluded.words WHERE t.words <> excluded.words',
)

export const removeSearchText = statement('remove_search', `DELETE FROM frontdesk.search WHERE ${thisDocument}`)

// Unique keys

/** Inserts free exclusive unique keys; waits for a concurrent commit that inserts one of them. */
export const takeUniqueKeys = insertion(
  'take',
  'unique_key',
  ['kind', 'key', 'holder'],
  'ON CONFLICT (project, kind, key) DO NOTHING RETURNING kind, key',
)

export const freeUniqueKey = statement('free', `DELETE FROM frontdesk.unique_key WHERE ${thisHolder}`)

/** Turns an exclusive unique key into a shared one, without a sharer yet. */
export const openUniqueKey = statement('open', `UPDATE frontdesk.unique_key SET holder = NULL WHERE ${thisHolder}`)

/** Turns a shared unique key without sharers into an exclusive one. */
export const closeUniqueKey = statement(
  'close',
  `UPDATE frontdesk.unique_key SET holder = $4 WHERE ${thisUniqueKey} AND holder IS NULL`,
)

/** Inserts the rows that sharers lock. They must be committed first, or the sharers would wait for each other. */
export const prepareShared = statement(
  'prepare',
  'INSERT INTO frontdesk.unique_key (project, kind, key) VALUES ($1, $2, $3) ON CONFLICT (project, kind, key) DO NOTHING',
)

export const readUniqueKey = statement(
  'unique_key',
  `SELECT kind, key, holder FROM frontdesk.unique_key WHERE ${thisUniqueKey}`,
)
export const lockForSharing = statement('lock_for_sharing', `${readUniqueKey.text} FOR SHARE`)
export const lockForChange = statement('lock_for_change', `${readUniqueKey.text} FOR UPDATE`)

export const readSharers = statement('sharers', `SELECT kind, key, holder FROM frontdesk.share WHERE ${thisUniqueKey}`)
export const readSharer = statement('sharer', `${readSharers.text} LIMIT 1`)

export const {one: joinShare} = insertion('join', 'share', ['kind', 'key', 'holder'])

export const leaveShare = statement('leave', `DELETE FROM frontdesk.share WHERE ${thisHolder}`)

/** Deletes the locked row of a shared unique key that has no sharer left. */
export const dropUnshared = statement(
  'drop_unshared',
  `DELETE FROM frontdesk.unique_key WHERE ${thisUniqueKey} AND holder IS NULL
    AND NOT EXISTS (SELECT 1 FROM frontdesk.share WHERE ${thisUniqueKey})`,
)

/** Shared unique keys of all projects that nobody shares: commits left them that failed while others looked at them too. */
export const readUnshared = statement(
  'unshared',
  `SELECT project, kind, key FROM frontdesk.unique_key c WHERE holder IS NULL AND NOT EXISTS
    (SELECT 1 FROM frontdesk.share s WHERE s.project = c.project AND s.kind = c.kind AND s.key = c.key)`,
)

const walkHolders = (name: string, table: string): Statement =>
  statement(
    name,
    `SELECT kind, key, holder FROM frontdesk.${table} WHERE project = $1 AND (kind, key, holder) > ($2, $3, $4)
      AND holder IS NOT NULL ORDER BY project, kind, key, holder LIMIT $5`,
  )
export const walkUniqueKeys = walkHolders('walk_keys', 'unique_key')
export const walkShares = walkHolders('walk_shares', 'share')
