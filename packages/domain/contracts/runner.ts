/** What a test body may ask; tap's and most other runners' test objects fit after renaming. */
export interface Check {
  /** Deep equality. */
  same(actual: unknown, expected: unknown, message?: string): void
  /** Whether a value is truthy. */
  ok(value: unknown, message?: string): void
}

/** Registers one test. A contract suite imports no runner: it is given this. */
export type ContractRunner = (name: string, body: (check: Check) => Promise<void>) => void
