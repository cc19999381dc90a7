/** Control characters, line separators, bidirectional overrides, lone surrogates and what no XML may hold. */
const unseen =
  /[\p{Cc}\u061C\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF\uFFFE\uFFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/gu

/** A text from a file as it may be shown: what a terminal would obey, or XML refuse, is spelled out. */
export const visible = (text: string): string =>
  text.replaceAll(unseen, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** JSON with the same spelled out, which its strings may hold raw. Line breaks between members stay. */
export const visibleJson = (document: unknown): string =>
  `${JSON.stringify(document, undefined, 2).split('\n').map(visible).join('\n')}\n`
