/** Steps between two lines of an axis, times a power of ten. */
const STEPS = [1, 2, 2.5, 5, 10] as const

/**
 * Returns the values of an axis that begins at 0 and reaches `greatest`: round whole numbers, at most `most` steps. Without values above 0
 * the axis reaches 1.
 */
export const ticksUpTo = (greatest: number, most = 4): ReadonlyArray<number> => {
  const top = greatest > 0 ? greatest : 1
  const power = 10 ** Math.floor(Math.log10(top / most))
  const isEnough = (step: number) => step * most >= top * (1 - 1e-9) && Number.isInteger(step)
  const step = STEPS.map((one) => one * power).find(isEnough) ?? 10 * power
  const count = Math.ceil((top / step) * (1 - 1e-9))
  return Array.from({ length: count + 1 }, (_, at) => Number((at * step).toPrecision(12)))
}

/** Returns every how many labels one is written, so that labels of this many pixels do not touch in a space of `room` pixels. */
export const labelEvery = (count: number, labelWidth: number, room: number): number => {
  const fitting = Math.max(1, Math.floor(room / Math.max(1, labelWidth)))
  return Math.max(1, Math.ceil(count / fitting))
}
