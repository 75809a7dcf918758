/** The version that responses carry (I2). */
export const API_VERSION = '1'

/**
 * Header fields that keep browsers from making more of a response than data: its type is what it says, no other page may frame, open or
 * read it, and it loads and runs nothing. Strict-Transport-Security is left to the proxy that terminates TLS.
 *
 * A 304 of an item has none: the browser reuses the stored response with its header fields (RFC 9111 §3.2).
 */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
}
