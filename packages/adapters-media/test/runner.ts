import type { ContractRunner } from '@almoner/testkit/contracts'
import t from 'tap'

/** Runs contract suites as tests of tap. */
export const runner: ContractRunner = (name, body) => {
  t.test(name, async (t) =>
    body({ same: (a, b, m) => t.strictSame(a, b, m ?? ''), ok: (v, m) => t.ok(v, m ?? '') }),
  )
}
