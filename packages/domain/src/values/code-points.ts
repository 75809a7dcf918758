/**
 * Compares texts by their code points, as every store orders them; JavaScript's own comparison differs where a text has
 * surrogates. Negative when `a` stands before `b`.
 */
export const compareText = (a: string, b: string): number => {
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at += 1) {
    // Where two texts differ, the code point that begins there or, in the middle of a pair, its second half decides.
    const [left = 0, right = 0] = [a.codePointAt(at), b.codePointAt(at)]
    if (left !== right) return left - right
  }
  return a.length - b.length
}
