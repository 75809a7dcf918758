import { CONTENT_TYPES, DATA_AREAS, type DataArea, type DataPart } from '@almoner/domain/history'

/** Items whose last changes are known: those of some minutes with many writes. */
const ITEMS = 10_000

const AREAS: ReadonlySet<string> = new Set(DATA_AREAS)
const TYPES: ReadonlySet<string> = new Set(CONTENT_TYPES)

/** Counts changes by what they change (I8). */
export interface Versions {
  /** As the database's `version`. */
  of(parts?: ReadonlyArray<DataPart>): number
  /** Counts a change of these parts; undefined is of anything. */
  count(parts?: ReadonlyArray<DataPart>): void
}

/**
 * Makes versions of the data. Each change gets a number that is greater than all before it, and a version is the greatest among those of what it
 * was asked for: it changes with each of them.
 * @param most items whose numbers are kept
 */
export const makeVersions = (most = ITEMS): Versions => {
  let latest = 0
  let anything = 0
  const areas = new Map<DataArea, number>()
  /** The last change of all items of an area together. */
  const whole = new Map<DataArea, number>()
  const items = new Map<DataPart, number>()

  const areaOf = (part: DataPart): DataArea => {
    const slash = part.indexOf('/')
    return (slash < 0 ? part : part.slice(0, slash)) as DataArea
  }
  const versionOf = (part: DataPart): number => {
    const area = areaOf(part)
    if (area === part) return areas.get(area) ?? 0
    return Math.max(whole.get(area) ?? 0, items.get(part) ?? 0)
  }
  /** Forgets the older half of the items. All that have no number then count as changed with the latest of them. */
  const forget = (): void => {
    for (const [part, version] of items) {
      if (items.size <= most / 2) break
      whole.set(areaOf(part), Math.max(version, whole.get(areaOf(part)) ?? 0))
      items.delete(part)
    }
  }

  return {
    of: (parts) => {
      if (parts === undefined) return latest
      let version = anything
      for (const part of parts) version = Math.max(version, versionOf(part))
      return version
    },
    count: (parts) => {
      latest += 1
      if (parts === undefined) anything = latest
      for (const part of parts ?? []) {
        const area = areaOf(part)
        areas.set(area, latest)
        if (area === part) whole.set(area, latest)
        else {
          // The order of the map is that of the numbers.
          items.delete(part)
          items.set(part, latest)
        }
      }
      if (items.size > most) forget()
    },
  }
}

const ITEM = /^([a-z]+)\/[0-9a-f-]{36}$/

/** Reads the parts that a signal names; undefined, which is anything, for other texts: a later release may have further areas. */
export const readParts = (text = ''): ReadonlyArray<DataPart> | undefined => {
  const parts = text.split(',')
  const isPart = (part: string) => AREAS.has(part) || TYPES.has(ITEM.exec(part)?.[1] ?? '')
  return parts.every(isPart) ? (parts as ReadonlyArray<DataPart>) : undefined
}

/** The most characters of a signal. PostgreSQL takes less than 8,000 bytes. */
const LONGEST = 7000

/** Writes parts as the text of a signal: the whole areas if the items are too many, `""` for anything. */
export const writeParts = (parts: ReadonlyArray<DataPart> | undefined): string => {
  const text = (parts ?? []).join(',')
  const shorter =
    text.length <= LONGEST ? text : [...new Set(parts?.map((part) => part.replace(/\/.*/, '')))].join(',')
  return readParts(shorter) === undefined ? '' : shorter
}
