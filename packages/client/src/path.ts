/** What cannot be one part of a path: an address would lead elsewhere with it, encoded or not. */
const ELSEWHERE: ReadonlySet<string> = new Set(['', '.', '..'])

/**
 * A path of the document with its names filled in.
 * @throws RangeError for a value that would lead to another path
 */
export const filledPath = (path: string, values: Readonly<Record<string, unknown>>): string =>
  path.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => {
    const value = String(values[name] ?? '')
    if (ELSEWHERE.has(value)) throw new RangeError(`${name} cannot stand in a path`)
    return encodeURIComponent(value)
  })
