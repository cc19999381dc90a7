import {call, element, momentOf, project, table} from './dom.mjs'

/** The one-time tokens that were made last: what a shop would have mailed. */

const whole = element('div', {'aria-live': 'polite'})
const masked = '••••••••'
/** Tokens that were clicked stay open while the list is renewed. */
const unmasked = new Set()

export async function refreshOutbox() {
  const {tokens, resetLink, verifyLink} = await call('POST', '/_admin/outbox', {projectKey: project.key})
  if (tokens.length === 0) {
    whole.replaceChildren(
      element('p', {class: 'empty'}, 'No reset or verification token was made since the server started.'),
    )
    return
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
  if (unmasked.has(value)) return shown()
  return element(
    'button',
    {
      type: 'button',
      onclick: ({currentTarget}) => {
        unmasked.add(value)
        const open = shown()
        currentTarget.replaceWith(open)
        open.focus()
      },
    },
    `${masked} show`,
  )
}

export function outboxPart() {
  return [whole]
}
