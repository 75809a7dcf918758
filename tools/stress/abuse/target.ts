/** What is attacked, by somebody who may or may not have a token. */
export interface Target {
  readonly host: string
  readonly port: number
  /** Of a content manager. */
  readonly token: string
  /** A library item that is there. */
  readonly itemId: string
}

/** How often each thing happened. */
export type Outcome = Readonly<Record<string, number>>

/** One way to do harm, for so many seconds at most. */
export type Attack = (target: Target, seconds: number) => Promise<Outcome>

/** Counts what happens, by name. */
export const makeTally = () => {
  const counts: Record<string, number> = {}
  return {
    counts: counts as Outcome,
    add: (name: string, many = 1) => {
      counts[name] = (counts[name] ?? 0) + many
    },
    /** Keeps the greatest. */
    most: (name: string, value: number) => {
      counts[name] = Math.max(counts[name] ?? 0, Math.round(value))
    },
  }
}

export type Tally = ReturnType<typeof makeTally>
