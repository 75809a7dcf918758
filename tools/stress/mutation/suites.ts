import { match, same, strict } from 'tcompare'

/** A test as it was written: what it is called and what it does. */
export interface WrittenTest {
  readonly name: string
  readonly run: () => Promise<void>
}

/** The tests of the suites that have been loaded since the last look. */
const written: Array<WrittenTest> = []

/** Gives the tests that the suites have written, and forgets them. */
export const takeTests = (): ReadonlyArray<WrittenTest> => written.splice(0)

type Body = (t: typeof tap) => unknown

const hold = (holds: boolean, message: unknown): void => {
  if (!holds) throw new Error(typeof message === 'string' && message !== '' ? message : 'an assertion failed')
}

/** Subtests in the order in which they were written, and not at once: each hands its state to the next. */
const inside = async (body: Body): Promise<void> => {
  const pending: Array<WrittenTest> = []
  await body({ ...tap, test: (name, inner) => void pending.push({ name, run: () => inside(inner) }) })
  for (const { run } of pending) await run()
}

/** Holds if something was thrown, and is like the expected: tap looks for a regular expression in the message. */
const holdThrown = (thrown: ReadonlyArray<unknown>, expected: unknown): void => {
  hold(thrown.length > 0, 'nothing was thrown')
  const [error] = thrown
  if (expected instanceof RegExp) hold(expected.test(error instanceof Error ? error.message : ''), error)
  else if (expected !== undefined) hold(match(error, expected).match, error)
}

/**
 * What the domain's suites use of tap, with tap's own comparisons. The suites only say what their tests are: each can then be run alone, as
 * often as there are mutants that it concerns. The first thing that does not hold ends a test.
 */
const tap = {
  test: (name: string, body: Body): void => void written.push({ name, run: () => inside(body) }),
  equal: (a: unknown, b: unknown, message?: unknown) => hold(Object.is(a, b), message),
  not: (a: unknown, b: unknown, message?: unknown) => hold(!Object.is(a, b), message),
  same: (a: unknown, b: unknown, message?: unknown) => hold(same(a, b).match, message),
  notSame: (a: unknown, b: unknown, message?: unknown) => hold(!same(a, b).match, message),
  strictSame: (a: unknown, b: unknown, message?: unknown) => hold(strict(a, b).match, message),
  match: (a: unknown, b: unknown, message?: unknown) => hold(match(a, b).match, message),
  notMatch: (a: unknown, b: unknown, message?: unknown) => hold(!match(a, b).match, message),
  ok: (value: unknown, message?: unknown) => hold(Boolean(value), message),
  notOk: (value: unknown, message?: unknown) => hold(!value, message),
  fail: (message?: unknown) => hold(false, message),
  pass: (_message?: unknown) => {},
  doesNotThrow: (run: () => unknown) => void run(),
  throws: (run: () => unknown, expected?: unknown) => {
    const thrown: Array<unknown> = []
    try {
      run()
    } catch (error) {
      thrown.push(error)
    }
    holdThrown(thrown, expected)
  },
  captureFn: <A extends ReadonlyArray<unknown>, B>(run: (...given: A) => B) => {
    const calls: Array<{ readonly args: A }> = []
    const captured = (...args: A): B => {
      calls.push({ args })
      return run(...args)
    }
    return Object.assign(captured, { calls })
  },
  resolves: async (promise: Promise<unknown>) => void (await promise),
  rejects: async (promise: Promise<unknown>, expected?: unknown) => {
    const outcome = await promise.then(
      () => [],
      (error: unknown) => [error],
    )
    holdThrown(outcome, expected)
  },
}

export default tap
