/** The next piece of a stream, or the fault that there was none in time. */
const within = async <A>(milliseconds: number, next: Promise<A>): Promise<A> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the S3 store: an image stopped in the middle')), milliseconds)
  })
  try {
    return await Promise.race([next, late])
  } finally {
    clearTimeout(timer)
  }
}

/** A stream that can be ended from outside. */
export interface Body extends AsyncIterable<Uint8Array> {
  readonly destroy: () => unknown
}

/**
 * The bytes of a body. A store that sends nothing for so long while it is being asked is a fault; a reader may take as long as it likes.
 * The body is ended with the iteration, however that ends.
 */
export async function* withBodyTimeout(body: Body, silence: number): AsyncGenerator<Uint8Array, void> {
  const pieces = body[Symbol.asyncIterator]()
  try {
    while (true) {
      const { done, value } = await within(silence, pieces.next())
      if (done === true) return
      yield value
    }
  } finally {
    body.destroy()
  }
}
