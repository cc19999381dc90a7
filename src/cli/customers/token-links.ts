/** What is to be done with a new token. */
export const sendText = (setting: 'resetLink' | 'verifyLink', link: string | undefined, person: string): string =>
  link === undefined
    ? `Send the token to ${person}; it is shown only once. A profile with ${setting} makes a link of it.`
    : `Send the link to ${person}; it is shown only once.`
