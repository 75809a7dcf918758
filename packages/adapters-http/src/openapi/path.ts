/** A path's parameters, by name, from Fastify's form `/library/:itemId`. */
export const namesIn = (path: string): ReadonlyArray<string> =>
  [...path.matchAll(/:([A-Za-z]+)/g)].flatMap(([, name]) => (name === undefined ? [] : [name]))

const REPLACED = /:([A-Za-z]+)(?:\([^)]*\))?/g

/** The path as OpenAPI writes it: `/library/{itemId}`. */
export const templateOf = (path: string): string => path.replaceAll(REPLACED, '{$1}')

/** The path as the interface writes it: `/library/<itemId>`, and alternatives as `(cover|notification)`. */
export const interfacePathOf = (path: string): string =>
  path
    .replaceAll(/:[A-Za-z]+(\([^:()]*\))/g, (_, words: string) => words.replaceAll(/[\^$]/g, ''))
    .replaceAll(REPLACED, '<$1>')
