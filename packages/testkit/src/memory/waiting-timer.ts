import type { Timer } from '@almoner/domain/ports'

/** Every JavaScript runtime has this function, but the library types of the language do not declare it. */
const { setTimeout } = globalThis as unknown as {
  setTimeout: (work: () => void, milliseconds: number) => unknown
}

/** Waits for the time to pass. */
export const waitingTimer: Timer = {
  wait: (milliseconds) => () =>
    new Promise((resolve) => {
      setTimeout(() => resolve(), milliseconds)
    }),
}
