/** What an uploaded image must be (D1). Sizes are pixels, measured after the orientation is applied. */
export type ImageRule =
  | { readonly kind: 'exactly'; readonly width: number; readonly height: number }
  | { readonly kind: 'within'; readonly side: number }

/** Bytes that an upload may have. */
export const UPLOAD_LIMIT = 10 * 1024 * 1024

/** `itemUploadMedia` of the feed: 560 high by 400 wide. */
export const FEED_IMAGE: ImageRule = { kind: 'exactly', width: 400, height: 560 }

/** Cover and notification images of the library. */
export const LIBRARY_IMAGE: ImageRule = { kind: 'within', side: 4096 }

/** Why an upload is not taken. Nothing has changed. */
export type ImageFault =
  /** More than {@link UPLOAD_LIMIT} bytes. */
  | { readonly _tag: 'ImageTooLarge' }
  /** By its content neither JPEG nor PNG. `reason` completes "The image …", and says what to send instead. */
  | { readonly _tag: 'UnsupportedImage'; readonly reason: string }
  /** Begins as an image and does not decode whole. `reason` completes "does not decode whole: …". */
  | { readonly _tag: 'BrokenImage'; readonly reason?: string }
  /** Shows several pictures one after the other. */
  | { readonly _tag: 'AnimatedImage' }
  /** Its header has a wrong size. */
  | {
      readonly _tag: 'WrongImageSize'
      readonly rule: ImageRule
      readonly width: number
      readonly height: number
    }

/** Returns why an image is refused for what it holds (D7). The text completes "The image …" or "<field> …". */
export const contentFaultText = (
  fault: Extract<ImageFault, { readonly _tag: 'UnsupportedImage' | 'BrokenImage' | 'AnimatedImage' }>,
): string => {
  switch (fault._tag) {
    case 'UnsupportedImage':
      return fault.reason
    case 'AnimatedImage':
      return 'must not be animated'
    case 'BrokenImage':
      return `does not decode whole${fault.reason === undefined ? '' : `: ${fault.reason}`}`
  }
}

/** Whether a size keeps a rule. */
export const fits = (rule: ImageRule, width: number, height: number): boolean =>
  rule.kind === 'exactly'
    ? width === rule.width && height === rule.height
    : Math.max(width, height) <= rule.side
