/** A part of two texts: in both, only in the old one, or only in the new one. */
export interface DiffPart {
  readonly kind: 'same' | 'removed' | 'added'
  readonly text: string
}

const wordsOf = (text: string, lang: string): ReadonlyArray<string> =>
  [...new Intl.Segmenter(lang, { granularity: 'word' }).segment(text)].map(({ segment }) => segment)

/** Returns, for each pair of positions, the number of words that the rests of both texts have in common, in order. */
const commonLengths = (before: ReadonlyArray<string>, after: ReadonlyArray<string>) => {
  const width = after.length + 1
  const lengths = new Uint16Array((before.length + 1) * width)
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0
  for (let row = before.length - 1; row >= 0; row -= 1)
    for (let column = after.length - 1; column >= 0; column -= 1)
      lengths[row * width + column] =
        before[row] === after[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1))
  return at
}

/** Puts neighbouring parts of one kind together, removed text before added text. */
const joined = (parts: ReadonlyArray<DiffPart>): ReadonlyArray<DiffPart> => {
  const result: Array<DiffPart> = []
  const pending = { removed: '', added: '' }
  const settle = () => {
    for (const kind of ['removed', 'added'] as const) {
      if (pending[kind] !== '') result.push({ kind, text: pending[kind] })
      pending[kind] = ''
    }
  }
  for (const { kind, text } of parts) {
    const last = result.at(-1)
    if (kind !== 'same') pending[kind] += text
    else if (last?.kind === 'same' && pending.removed === '' && pending.added === '')
      result.splice(-1, 1, { kind, text: last.text + text })
    else {
      settle()
      result.push({ kind, text })
    }
  }
  settle()
  return result
}

/** Compares two texts of at most some thousand words, word by word. The parts, without the added ones, make the old text. */
export const diffWords = (old: string, next: string, lang: string): ReadonlyArray<DiffPart> => {
  const [before, after] = [wordsOf(old, lang), wordsOf(next, lang)]
  const common = commonLengths(before, after)
  const parts: Array<DiffPart> = []
  let [row, column] = [0, 0]
  while (row < before.length || column < after.length) {
    const [removed, added] = [before[row], after[column]]
    if (removed !== undefined && removed === added) {
      parts.push({ kind: 'same', text: removed })
      row += 1
      column += 1
    } else if (
      added === undefined ||
      (removed !== undefined && common(row + 1, column) >= common(row, column + 1))
    ) {
      parts.push({ kind: 'removed', text: removed ?? '' })
      row += 1
    } else {
      parts.push({ kind: 'added', text: added })
      column += 1
    }
  }
  return joined(parts)
}
