/** What proxies make of our tag when they compress a response: nginx and Cloudflare, Apache, Jetty and others (C13). */
export const PROXY_FORMS: Readonly<Record<string, (tag: string) => string>> = {
  'as sent': (tag) => tag,
  'nginx, Cloudflare': (tag) => `W/${tag}`,
  'Apache with gzip': (tag) => tag.replace(/"$/, '-gzip"'),
  'Apache with brotli': (tag) => tag.replace(/"$/, '-br"'),
  'Apache with zstd': (tag) => tag.replace(/"$/, '-zstd"'),
  Jetty: (tag) => tag.replace(/"$/, '--gzip"'),
  'old Apache': (tag) => tag.replace(/"$/, ';gzip"'),
  'Apache behind Cloudflare': (tag) => `W/${tag.replace(/"$/, '-gzip"')}`,
}
