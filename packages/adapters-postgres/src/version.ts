import type { Changes } from './changes.ts'

/** As the engine's `version`: counts what it is told of, from the first time that somebody asks. */
export const makeVersion = ({ onChange }: Pick<Changes, 'onChange'>): (() => number) => {
  let count = 0
  let listening = false
  return () => {
    if (!listening) {
      listening = true
      onChange(() => {
        count += 1
      })
    }
    return count
  }
}
