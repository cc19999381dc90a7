/** Links of one-time tokens: pages of a shop that a profile names, `https://shop.example/reset?token={token}`. */

const place = '{token}'

/** The page with the token in its place; undefined without a page. */
export const linkWith = (page: string | undefined, token: string): string | undefined =>
  page?.replaceAll(place, encodeURIComponent(token))

/** What is to be done with a new token. */
export const sendText = (setting: 'resetLink' | 'verifyLink', link: string | undefined, person: string): string =>
  link === undefined
    ? `Send the token to ${person}; it is shown only once. A profile with ${setting} makes a link of it.`
    : `Send the link to ${person}; it is shown only once.`
