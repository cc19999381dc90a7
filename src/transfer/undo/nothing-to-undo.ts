/** There is nothing to take back: the job was taken back before, or took another back itself. */
export class NothingToUndo extends Error {
  override readonly name = 'NothingToUndo'
  readonly remedy: string

  constructor(message: string, remedy: string) {
    super(message)
    this.remedy = remedy
  }
}
