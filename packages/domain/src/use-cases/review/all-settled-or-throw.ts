/**
 * Waits until all promises have settled. If one rejects, which is a bug, rethrows its error after the others have ended, so that the caller may
 * start again or close their resources.
 */
export const allSettledOrThrow = async <A>(works: ReadonlyArray<Promise<A>>): Promise<ReadonlyArray<A>> => {
  const ends = await Promise.allSettled(works)
  return ends.map((end) => {
    if (end.status === 'rejected') throw end.reason
    return end.value
  })
}
