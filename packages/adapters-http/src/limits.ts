/** The most characters of a segment of a path: a device token of 4,096 characters, each percent-encoded in up to 12 (F4). */
export const LONGEST_SEGMENT = 4096 * 12

/**
 * The most bytes of a request before its body: an address with such a segment and whatever else belongs to it, and the 16 KiB that
 * Node allows for all header fields unless it is told otherwise. Beyond it the answer is 431.
 */
export const LARGEST_HEAD = 65_536 + 16_384

/**
 * The most bytes of a body other than an upload; the longest that can be valid has some 50 KB. It is held until it is whole, whoever sends
 * it and however slowly, so it is what a connection of a stranger can make the server hold.
 */
export const BODY_LIMIT = 131_072
