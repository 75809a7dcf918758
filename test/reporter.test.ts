import t from 'tap'
import Reporter from './reporter.ts'

const TAP = `TAP version 14
1..2
# Subtest: one.test.ts
    # Subtest: passes
        ok 1 - é
          ---
          note: hidden
          ...
        1..1
    ok 1 - passes # time=1ms

    printed by a test
    # Subtest: fails
        not ok 1 - differs
          ---
          diff: |
            ok 1
              ...
          ...

        1..1
    not ok 2 - fails
    ok 3 - omitted # SKIP
    1..3
not ok 1 - one.test.ts
ok 2 - two.test.ts # time=2ms
# { total: 4, pass: 2, fail: 1, skip: 1 }
`

const SHOWN = `TAP version 14
1..2
    printed by a test
        not ok 1 - differs
          ---
          diff: |
            ok 1
              ...
          ...
    not ok 2 - fails
    ok 3 - omitted # SKIP
not ok 1 - one.test.ts
ok 2 - two.test.ts # time=2ms
# { total: 4, pass: 2, fail: 1, skip: 1 }
`

t.test('the reporter shows files, failures with their details, and skipped tests', async (t) => {
  for (const size of [1, 7, TAP.length]) {
    const reporter = new Reporter()
    const bytes = Buffer.from(TAP)
    for (let from = 0; from < bytes.length; from += size) reporter.write(bytes.subarray(from, from + size))
    reporter.end()
    t.equal((await reporter.setEncoding('utf8').toArray()).join(''), SHOWN)
  }
})
