import pg from 'pg'

const { INT8, NUMERIC } = pg.types.builtins

/** Whole numbers as JavaScript's own; one that those cannot hold exactly is a bug. */
const wholeNumber = (text: string): number => {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError('a column holds a number beyond 2^53')
  return value
}

const PARSERS = new Map<number, (text: string) => unknown>([
  [INT8, wholeNumber],
  // What sums of whole numbers are.
  [NUMERIC, wholeNumber],
])

/** How values of the server's types become JavaScript's. */
export const TYPES: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => PARSERS.get(oid) ?? pg.types.getTypeParser(oid, format),
}
