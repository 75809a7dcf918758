/** Something that one loop waits for and others bring about. */
export const makeSignal = () => {
  let next = Promise.withResolvers<void>()
  return {
    wait: (): Promise<void> => next.promise,
    notify: (): void => {
      next.resolve()
      next = Promise.withResolvers<void>()
    },
  }
}
