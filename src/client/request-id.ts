/**
 * A UUID v4 for the correlation id of a request. It has to be unlikely to repeat, and is no secret: as the ids of
 * OpenTelemetry it comes from `Math.random`, for which nothing has to be loaded.
 */
export function newRequestId(): string {
  const digits = () =>
    Math.floor(Math.random() * 0x10000)
      .toString(16)
      .padStart(4, '0')
  const version = `4${digits().slice(1)}`
  const variant = (8 + Math.floor(Math.random() * 4)).toString(16) + digits().slice(1)
  return `${digits()}${digits()}-${digits()}-${version}-${variant}-${digits()}${digits()}${digits()}`
}
