import {insertion, statement, thisDocument} from './statements.js'

/** The texts by which documents are searched. Narrow, since a search reads all of a kind. */
export const searchTable = {
  name: 'search',
  columns: ['id text NOT NULL', 'words text NOT NULL'],
  key: ['project', 'kind', 'id'],
  distribution: 'id',
}

/** Written after the documents, whose rows keep others away. */
export const putSearchTexts = insertion(
  'put_search',
  'search',
  ['kind', 'id', 'words'],
  'ON CONFLICT (project, kind, id) DO UPDATE SET words = excluded.words WHERE t.words <> excluded.words',
)

/** The column of search texts, null for a long one. */
export const wordsUnlessLong = 'CASE WHEN octet_length(words) > 16384 THEN NULL ELSE words END'

export const getSearchText = statement('get_search', `SELECT words FROM frontdesk.search WHERE ${thisDocument}`)

export const removeSearchText = statement('remove_search', `DELETE FROM frontdesk.search WHERE ${thisDocument}`)
