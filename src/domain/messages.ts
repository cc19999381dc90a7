/** A message before it is stored: its type and its payload. The envelope is added with the commit. */
export interface MessageDraft {
  readonly type: string
  /** Overrides the resource of the envelope, for the token messages. */
  readonly resource?: {readonly typeId: string; readonly id: string}
  readonly payload: Readonly<Record<string, unknown>>
}

/** A message of a fold, with the version of the resource after the action that produced it. */
export interface VersionedMessage extends MessageDraft {
  readonly resourceVersion: number
}
