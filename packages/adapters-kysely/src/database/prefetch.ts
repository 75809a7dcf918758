/**
 * Reads one value ahead, so that the source is released before the last value is returned. A slow reader of a short collection therefore
 * blocks no other read.
 */
export async function* oneAhead<A>(source: AsyncIterable<A>): AsyncGenerator<A> {
  let held: [A] | [] = []
  for await (const value of source) {
    yield* held
    held = [value]
  }
  yield* held
}
