import { closest, distance } from 'fastest-levenshtein'

/** Whether a longer name has all characters of a shorter one, in their order. */
const abbreviates = (short: string, long: string): boolean => {
  let at = -1
  return [...short].every((character) => {
    at = long.indexOf(character, at + 1)
    return at >= 0
  })
}

/** Returns the name that a mistyped (`ad` for `add`) or shortened one (`ALMONER_DB`) most likely stands for. */
export const nearest = (name: string, names: ReadonlyArray<string>): string | undefined => {
  const typo = closest(name, names)
  if (distance(name, typo) <= 2) return typo
  const longer = names.filter((other) => abbreviates(name, other))
  return longer.length > 0 ? closest(name, longer) : undefined
}
