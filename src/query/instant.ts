// Years 0001 to 9999, without the lookahead that not every engine of PostgreSQL's kind knows.
const year = '([0-9]{3}[1-9]|[0-9]{2}[1-9]0|[0-9][1-9]00|[1-9]000)'
const leapYear = '([0-9]{2}(0[48]|[2468][048]|[13579][26])|(0[48]|[2468][048]|[13579][26])00)'
const dayOfYear =
  '((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))'
const date = `((${year}-${dayOfYear})|${leapYear}-02-29)`
const time = '([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]{1,9})?)?'
const zone = '(Z|[+-](0[0-9]|1[0-4]):[0-5][0-9])'

/** The date-times that are moments, here and in the database: those with a zone, of dates that exist. */
export const instantForm = `^${date}T${time}${zone}$`

const instants = new RegExp(instantForm)
const dates = new RegExp(`^${date}$`)

/** Milliseconds since 1970 of a date-time, or undefined for anything else. Fractions beyond milliseconds are cut. */
export const instantOf = (value: unknown): number | undefined =>
  typeof value === 'string' && instants.test(value) ? Date.parse(value) : undefined

/** Whether `text` is `YYYY-MM-DD` and the day exists. */
export const isDate = (text: string): boolean => dates.test(text)
