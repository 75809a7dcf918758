import type { Ports } from '@almoner/domain/ports'

/** The assertions that a test body uses. The test objects of tap and most other runners fit after renaming. */
export interface Check {
  /** Deep equality. */
  same(actual: unknown, expected: unknown, message?: string): void
  /** Whether a value is truthy. */
  ok(value: unknown, message?: string): void
}

/** Registers one test. A contract suite imports no test runner and gets this function instead. */
export type ContractRunner = (name: string, body: (check: Check) => Promise<void>) => void

/**
 * Returns a function that registers a test: it runs on what `make` returns for it alone, which is closed afterwards.
 * @param prepare returns what the body of each test gets; without it, that is what `make` returned
 */
export const onEach =
  <Made extends Pick<UnderTest<never>, 'close'>, Given = Made>(
    runner: ContractRunner,
    make: () => Promise<Made>,
    prepare: (made: Made) => Given | Promise<Given> = (made) => made as unknown as Given,
  ) =>
  (name: string, body: (check: Check, given: Given) => Promise<void>): void =>
    runner(name, async (check) => {
      const made = await make()
      try {
        await body(check, await prepare(made))
      } finally {
        await made.close()
      }
    })

/** Ports for one test, with their own data. */
export type UnderTest<Names extends keyof Ports> = Pick<Ports, Names> & {
  /** Releases the adapter's resources. Called once at the end of each test, also after a failure. */
  readonly close: () => Promise<void>
}

/** Creates a generator of pseudorandom integers from 0 to below its argument, the same for the same seed (mulberry32). */
export const seeded = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}
