import { diffArrays } from 'diff'

/** A part of two texts: in both, only in the old one, or only in the new one. */
export interface DiffPart {
  readonly kind: 'same' | 'removed' | 'added'
  readonly text: string
}

const wordsOf = (text: string, lang: string): Array<string> =>
  [...new Intl.Segmenter(lang, { granularity: 'word' }).segment(text)].map(({ segment }) => segment)

const kindOf = ({ added, removed }: { readonly added: boolean; readonly removed: boolean }) =>
  added ? 'added' : removed ? 'removed' : 'same'

/**
 * Compares two texts word by word, as the language separates words. The parts without the added ones make the old text, those without the
 * removed ones the new text.
 */
export const diffWords = (old: string, next: string, lang: string): ReadonlyArray<DiffPart> =>
  diffArrays(wordsOf(old, lang), wordsOf(next, lang)).map((part) => ({
    kind: kindOf(part),
    text: part.value.join(''),
  }))
