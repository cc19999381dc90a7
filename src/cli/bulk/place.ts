/** Where a row stands, for people: its file is named where there are several. */
export const placeText = ({file, line}: {readonly file: string; readonly line: number}, fileCount: number): string =>
  fileCount > 1 ? `${file}, line ${line}` : `line ${line}`
