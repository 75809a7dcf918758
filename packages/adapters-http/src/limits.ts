/** The most characters of a segment of a path: a device token of 4,096 characters, each percent-encoded in up to 12 (F4). */
export const LONGEST_SEGMENT = 4096 * 12

/**
 * The maximum bytes of a request before its body: a URL with such a segment and its other parts, and Node's default of 16 KiB for all
 * headers. Larger requests are 431.
 */
export const LARGEST_HEAD = 65_536 + 16_384

/**
 * The maximum bytes of a body, as received, without the files in it; the longest valid one has some 50 KB (B10). Bodies are buffered until they
 * are complete, so this is the memory that an anonymous connection can use.
 */
export const BODY_LIMIT = 131_072

/** The maximum bytes of a body at an OAuth endpoint (B10). */
export const OAUTH_BODY_LIMIT = 16_384
