/**
 * What every answer says against browsers that would make more of it than data: it is of the type that it says, nobody else's page may
 * frame, open or read it, and it loads and runs nothing. Whether the service is reached by https is for whoever puts https before
 * it to say. They are the same for all answers, so they are written down rather than worked out for each.
 *
 * Only 304 of an item goes without: whoever asks so keeps the answer itself, with these fields, and goes on by them (RFC 9111 §3.2).
 */
export const SECURITY: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
}

/** Those of some header fields that are not these: what others say, of the same or something else, stays. */
export const withoutSecurity = <A>(fields: Readonly<Record<string, A>>): Readonly<Record<string, A>> =>
  Object.fromEntries(Object.entries(fields).filter(([name, value]) => SECURITY[name] !== value))
