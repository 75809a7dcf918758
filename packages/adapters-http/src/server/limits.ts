/** The most characters of a segment of a path: a device token of 4,096 characters, each percent-encoded in up to 12 (F4). */
export const LONGEST_SEGMENT = 4096 * 12

/**
 * The most bytes of a request before its body: an address with such a segment and whatever else belongs to it, and the 16 KiB that
 * Node allows for all header fields unless it is told otherwise. Beyond it the answer is 431.
 */
export const LARGEST_HEAD = 65_536 + 16_384
