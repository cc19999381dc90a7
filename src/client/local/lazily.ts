// biome-ignore lint/suspicious/noExplicitAny: functions of every kind
type Functions<N extends string> = Record<N, (...given: any[]) => unknown>

/** A function of a module that is loaded when the function is called. */
export const lazily =
  <N extends string, M extends Functions<N>>(load: () => Promise<M>, name: N) =>
  async (...given: Parameters<M[N]>): Promise<Awaited<ReturnType<M[N]>>> =>
    (await load())[name](...given) as Awaited<ReturnType<M[N]>>
