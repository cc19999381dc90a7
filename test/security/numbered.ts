/** Counts the numbered checks of a file, and says at its end how many of them pass. */
export function countChecks(letter: string): void {
  const checks = new Map<string, boolean>()
  let cases = 0
  afterEach(function () {
    const test = this.currentTest
    const number = test ? /^(?:S-|[A-KP])\d\d/.exec(test.title)?.[0] : undefined
    if (!test || number === undefined || test.isPending()) return
    cases += 1
    checks.set(number, (checks.get(number) ?? true) && test.isPassed())
  })
  after(() => {
    const passed = [...checks.values()].filter(Boolean).length
    console.log(`      checks ${letter}: ${passed} of ${checks.size} pass, in ${cases} cases`)
  })
}
