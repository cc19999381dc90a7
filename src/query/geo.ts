/** Mean radius of the earth; to-sql.ts computes with the same. */
export const earthRadiusMeters = 6_371_008.8

/** Rounding errors of the formula are below a millimetre; with it a point is within radius 0 of itself. */
export const toleranceMeters = 0.001

interface Circle {
  readonly longitude: number
  readonly latitude: number
  readonly radiusMeters: number
}

const radians = (degrees: number): number => (degrees * Math.PI) / 180

/** The coordinates of a GeoJSON point (RFC 7946 §3.1.2), or undefined for anything else. */
function pointOf(value: unknown): readonly [longitude: number, latitude: number] | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, 'type')) return undefined
  const {type, coordinates} = value as {type?: unknown; coordinates?: unknown}
  if (type !== 'Point' || !Array.isArray(coordinates)) return undefined
  const [longitude, latitude] = coordinates as unknown[]
  if (typeof longitude !== 'number' || typeof latitude !== 'number') return undefined
  return Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90 ? [longitude, latitude] : undefined
}

/** Whether the value is a point whose great-circle distance from the centre is at most the radius. */
export function isWithin(value: unknown, circle: Circle): boolean {
  const point = pointOf(value)
  if (point === undefined) return false
  const [longitude, latitude] = point
  const north = Math.sin(radians(latitude - circle.latitude) / 2) ** 2
  const east = Math.sin(radians(longitude - circle.longitude) / 2) ** 2
  const chord = north + Math.cos(radians(latitude)) * Math.cos(radians(circle.latitude)) * east
  const distanceMeters = 2 * earthRadiusMeters * Math.asin(Math.sqrt(Math.min(1, chord)))
  return distanceMeters <= circle.radiusMeters + toleranceMeters
}
