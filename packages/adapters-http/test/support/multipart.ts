/** The boundary of {@link multipartOf}. */
export const BOUNDARY = 'almoner-test'

/** A part of a form as it is sent: its header fields, and its content. Text is sent as UTF-8. */
export type RawPart = readonly [fields: ReadonlyArray<string>, content: string | Uint8Array]

/** The header field of a text. */
export const textNamed = (name: string): string => `Content-Disposition: form-data; name="${name}"`

/** The header field of a file. */
export const fileNamed = (name: string, file: string): string => `${textNamed(name)}; filename="${file}"`

/** The bytes of a form. */
export const formBytes = (parts: ReadonlyArray<RawPart>, boundary = BOUNDARY): Buffer =>
  Buffer.concat([
    ...parts.flatMap(([fields, content]) => [
      Buffer.from(`--${boundary}\r\n${fields.join('\r\n')}\r\n\r\n`),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ])

/** A form as the tests send it. */
export const multipartOf = (
  parts: ReadonlyArray<RawPart>,
  type = `multipart/form-data; boundary=${BOUNDARY}`,
) => ({
  headers: { 'content-type': type },
  body: formBytes(parts),
})
