import {administerServer} from '../../client/local/admin.js'
import {defined} from '../../domain/equal.js'
import {linkWith} from '../../domain/token-link.js'
import {column, kept, moment, type View, whole} from '../output/view.js'
import type {LocalState} from './server-command.js'

/** The one-time tokens that the server has made last for a project, the newest first, as links where it has a page for them. */
export async function outboxOf({dataDir, projectKey}: LocalState): Promise<readonly object[]> {
  const {tokens, resetLink, verifyLink} = await administerServer(dataDir, 'listTokens', {body: {projectKey}})
  const pages = {password: resetLink, email: verifyLink}
  return tokens.map((token) => ({...token, ...defined({link: linkWith(pages[token.purpose], token.value)})}))
}

export const outboxView: View = {
  columns: [
    moment('createdAt'),
    kept('email'),
    column('purpose'),
    moment('expiresAt'),
    column('isOpen'),
    whole('value'),
    whole('link'),
  ],
  id: 'value',
}
