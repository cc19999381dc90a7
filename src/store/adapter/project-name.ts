/**
 * Keys of projects are names of directories, so nothing else may be one: `_` is the realm, and what else begins with a
 * dot or an underscore (the audit log, journals of jobs) is never a project.
 */
export const isProjectName = (name: string): boolean => /^(?:_|[a-z0-9][a-z0-9_-]{0,99})$/.test(name)
