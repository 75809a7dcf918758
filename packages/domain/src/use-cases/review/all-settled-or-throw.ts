/**
 * Waits until all have ended, however. What one of them throws, a bug, is thrown when nothing of the others goes on any more, so that
 * whoever catches it may begin anew or close what they work on.
 */
export const allSettledOrThrow = async <A>(works: ReadonlyArray<Promise<A>>): Promise<ReadonlyArray<A>> => {
  const ends = await Promise.allSettled(works)
  return ends.map((end) => {
    if (end.status === 'rejected') throw end.reason
    return end.value
  })
}
