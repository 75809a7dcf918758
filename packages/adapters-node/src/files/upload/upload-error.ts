import type { UploadRefused } from '@almoner/domain/portfolio'

/** Why an upload cannot be taken, as plain async code throws it. */
export class UploadError extends Error {
  readonly refusal: UploadRefused

  /**
   * @param file the file that is at fault, as it is named in the upload; undefined if it is the upload as a whole
   * @param why completes "<file> …" or "the upload …"
   */
  constructor(file: string | undefined, why: string, reason: UploadRefused['reason'] = 'bad') {
    super(why)
    this.refusal = { _tag: 'UploadRefused', reason, file: file && shownName(file), message: why }
  }
}

/** Characters of a name that an answer repeats. */
const LONGEST = 200

/** Returns a name as an answer may repeat it: of bounded length, without control characters. */
export const shownName = (name: string): string => {
  const plain = name.replaceAll(/\p{Cc}/gu, '?')
  return plain.length > LONGEST ? `${plain.slice(0, LONGEST)}…` : plain
}
