import type { S3Client } from '@aws-sdk/client-s3'

type Headers = Readonly<Record<string, string | undefined>>

/** Returns the header fields with a date of the object that the SDK can read, or without one. */
const withReadableDate = ({ 'last-modified': date, ...headers }: Headers): Headers => {
  const time = new Date(date ?? '')
  return Number.isNaN(time.getTime()) ? headers : { ...headers, 'last-modified': time.toUTCString() }
}

const hasHeaders = (response: unknown): response is { headers: Headers } =>
  typeof response === 'object' && response !== null && 'headers' in response

/** Makes a client take objects with dates of every form: the SDK rejects responses whose dates have another one than HTTP's. */
export const takeAllDates = (client: S3Client): void =>
  client.middlewareStack.add(
    (next) => async (request) => {
      const result = await next(request)
      const { response } = result
      if (hasHeaders(response)) response.headers = withReadableDate(response.headers)
      return result
    },
    // Inside of the SDK's own, which reads the response.
    { name: 'takeAllDates', step: 'deserialize', priority: 'low' },
  )
