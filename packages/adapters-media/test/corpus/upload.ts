/** What must become of an upload under a rule. */
export type Expectation = 'ok' | 'too-large' | 'unsupported' | 'animated' | 'broken' | 'wrong-size'

/** An upload of the corpus. */
export interface Upload {
  readonly name: string
  readonly bytes: Uint8Array
  /** What the sender says it is, which must count for nothing. */
  readonly declaredType: string
  readonly fileName: string
  /** Where exactly 400 by 560 is asked for. */
  readonly expectFeed: Expectation
  /** Where at most 4096 a side is asked for. */
  readonly expectLibrary: Expectation
  /** Whether a taken one shows the four colours in their places (pixels.ts). */
  readonly fourColours: boolean
}

interface Details {
  readonly library?: Expectation
  readonly declaredType?: string
  readonly fileName?: string
  readonly fourColours?: boolean
}

/** Makes uploads that say they are of one type. */
export const uploadsOf =
  (declaredType: string, fileName: string) =>
  (name: string, bytes: Uint8Array, expectFeed: Expectation, details: Details = {}): Upload => ({
    name,
    bytes,
    declaredType: details.declaredType ?? declaredType,
    fileName: details.fileName ?? fileName,
    expectFeed,
    expectLibrary: details.library ?? expectFeed,
    fourColours: details.fourColours ?? true,
  })

export const pngUpload = uploadsOf('image/png', 'picture.png')
export const jpegUpload = uploadsOf('image/jpeg', 'photo.jpg')
