/** Matches paths in which a shell would put a folder or a variable, or take quotes off. */
const FOR_SHELLS = /^[~"'\s]|`|\$(?:[{(]|[A-Za-z_])|%[A-Za-z_]\w*%/

/** Matches parameters, which other programs take behind a path. */
const PARAMETERS = /\?\w+=|^file:/

/**
 * Returns why a path of a setting would make files of an unintended name, to complete a sentence about the setting: a shell or another
 * program would read it otherwise (operations.md). Undefined if it would not.
 */
export const pathFault = (path: string): string | undefined => {
  if (FOR_SHELLS.test(path))
    return 'must be a whole path, without quotes: only a shell replaces ~ and $HOME, and not in quotes or files'
  return PARAMETERS.test(path) ? 'must be a path alone, without file: or ?parameters' : undefined
}
