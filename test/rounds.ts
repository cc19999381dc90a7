/**
 * How often a test repeats what is random, and how much it takes of what is large: enough to fail for a defect that is
 * there, or with FRONTDESK_THOROUGH=1 enough to look for one that is rare.
 */
export const rounds = (usual: number, thorough: number): number =>
  process.env['FRONTDESK_THOROUGH'] === '1' ? thorough : usual
