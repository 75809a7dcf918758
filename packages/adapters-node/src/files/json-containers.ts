/** The rows of an array in a JSON file, with their lines. */
export interface JsonRows {
  readonly rows: ReadonlyArray<unknown>
  /** The line of a row's field, or of the row where that is all there is to say; from 1. */
  readonly lineOf: (row: number, field: string) => number
  readonly isWhole: boolean
}

/** A property of the object around all: its value if that is a single one, and its rows if it is an array that was asked for. */
export interface JsonProperty {
  readonly name: string
  readonly line: number
  readonly value: unknown
  readonly rows: JsonRows | undefined
}

/** A JSON file: the rows of an array, or the properties of an object. Anything else is neither. */
export interface JsonFile {
  /** The line of the value. */
  readonly line: number
  readonly rows?: JsonRows
  readonly properties?: ReadonlyArray<JsonProperty>
}

/** A row that is being read. */
export type Row = Record<string, unknown>

/** An object or array that is being read. */
export type Container =
  | {
      readonly kind: 'rows'
      readonly rows: Array<unknown>
      readonly lines: Array<ReadonlyArray<number>>
      whole: boolean
    }
  | {
      readonly kind: 'row'
      readonly value: Row
      readonly lines: Array<number>
      key: string | undefined
      bad: boolean
    }
  | { readonly kind: 'list'; readonly values: Array<unknown>; room: number }
  | {
      readonly kind: 'object'
      readonly properties: Array<{ -readonly [K in keyof JsonProperty]: JsonProperty[K] }>
    }
  | { readonly kind: 'skipped' }

/** A property whose value is being read. */
export type OpenProperty = { -readonly [K in keyof JsonProperty]: JsonProperty[K] }
/** An array of rows that is being read. */
export type Rows = Extract<Container, { kind: 'rows' }>
/** A row whose fields are being read. */
export type OpenRow = Extract<Container, { kind: 'row' }>

/** Stands for an object or array whose content does not matter. */
export const SKIPPED: Container = { kind: 'skipped' }

/** Begins an array of rows. */
export const noRows = (): Rows => ({ kind: 'rows', rows: [], lines: [], whole: true })

/** Returns the rows of an array, also while it is being read. */
export const jsonRows = (container: Rows, line: number): JsonRows => ({
  rows: container.rows,
  lineOf: (row, field) => {
    const own = container.lines[row] ?? [line]
    const at = Object.keys(container.rows[row] ?? {}).indexOf(field)
    return own[at + 1] ?? own[0] ?? line
  },
  get isWhole() {
    return container.whole
  },
})
