import {button, call, element, momentOf, project, table} from './dom.mjs'

/** The one-time tokens that were made last: what a shop would have mailed. */

const whole = element('div', {'aria-live': 'polite'})
const masked = '••••••••'
/** Tokens that were clicked stay open while the list is renewed. */
const unmasked = new Set()

export async function refreshOutbox() {
  const {tokens, resetLink, verifyLink} = await call('POST', '/_admin/outbox', {projectKey: project.key})
  if (tokens.length === 0) {
    const none = 'No reset or verification token was made since the server started.'
    return whole.replaceChildren(element('p', {class: 'empty'}, none))
  }
  const pages = {password: resetLink, email: verifyLink}
  const rows = tokens.map((token) => [
    momentOf(token.createdAt),
    token.email,
    token.purpose === 'password' ? 'reset the password' : 'verify the email',
    token.isOpen ? momentOf(token.expiresAt) : 'used or ended',
    token.isOpen ? secretOf(token, pages[token.purpose]) : '',
  ])
  whole.replaceChildren(table(['Time', 'For', 'What', 'Valid until', 'Link or token'], rows))
}

/** The token in its page, or as it is; behind a button at first. */
function secretOf({value}, page) {
  const link = page?.replaceAll('{token}', encodeURIComponent(value))
  const shown = () =>
    link === undefined
      ? element('code', {tabindex: -1}, value)
      : element('a', {href: link, target: '_blank', rel: 'noreferrer noopener'}, link)
  const opener = button(`${masked} show`, () => {
    unmasked.add(value)
    const open = shown()
    opener.replaceWith(open)
    open.focus()
  })
  return unmasked.has(value) ? shown() : opener
}

export const outboxPart = () => [whole]
