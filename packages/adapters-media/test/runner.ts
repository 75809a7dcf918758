import t from 'tap'
import type { ContractRunner } from '../../domain/contracts/runner.ts'

/** Runs contract suites as tests of tap. */
export const runner: ContractRunner = (name, body) => {
  t.test(name, async (t) =>
    body({ same: (a, b, m) => t.strictSame(a, b, m ?? ''), ok: (v, m) => t.ok(v, m ?? '') }),
  )
}
