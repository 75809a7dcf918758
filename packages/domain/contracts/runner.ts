/** The assertions that a test body uses. The test objects of tap and most other runners fit after renaming. */
export interface Check {
  /** Deep equality. */
  same(actual: unknown, expected: unknown, message?: string): void
  /** Whether a value is truthy. */
  ok(value: unknown, message?: string): void
}

/** Registers one test. A contract suite imports no test runner and gets this function instead. */
export type ContractRunner = (name: string, body: (check: Check) => Promise<void>) => void
