import {reportOf} from '../output/error-report.js'

/** What could not be done, by the reference that was given. */
export interface FailedCustomer {
  readonly id: string
  readonly message: string
}

export interface SeveralResult<R> {
  readonly results: readonly R[]
  readonly failed: readonly FailedCustomer[]
}

/**
 * Acts on each of several customers in turn. The error of a single one is thrown as it is; of several it is kept, and the
 * others go on: what was done is shown, and what failed beside it.
 */
export async function each<T, R>(
  customers: readonly T[],
  nameOf: (customer: T) => string,
  act: (customer: T) => Promise<R>,
): Promise<SeveralResult<R>> {
  const results: R[] = []
  const failed: FailedCustomer[] = []
  for (const customer of customers) {
    try {
      results.push(await act(customer))
    } catch (error) {
      if (customers.length === 1) throw error
      failed.push({id: nameOf(customer), message: reportOf(error).message})
    }
  }
  return {results, failed}
}
