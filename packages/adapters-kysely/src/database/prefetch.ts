/**
 * The same values, each read before the one ahead of it is given away: what stands behind the source is let go before
 * the last value goes out, so that a slow reader of a short collection keeps nobody waiting.
 */
export async function* oneAhead<A>(source: AsyncIterable<A>): AsyncGenerator<A> {
  let held: [A] | [] = []
  for await (const value of source) {
    yield* held
    held = [value]
  }
  yield* held
}
