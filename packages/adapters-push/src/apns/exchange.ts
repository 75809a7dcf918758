import { type ClientHttp2Stream, constants } from 'node:http2'
import { isCertificateFault } from '../trust.ts'
import { within } from '../within.ts'
import type { Connections, Place } from './connections.ts'
import type { LibraryClient, Outgoing, Requester } from './library.ts'
import { type Exchanged, readReply } from './reply.ts'

/** A request that has been begun, and what has been heard of it. */
interface Heard {
  stream?: ClientHttp2Stream
  status?: number
  retryAfter?: string
  /** Nobody waits for it any more. */
  isLate?: boolean
}

/** The library keeps neither the status nor `Retry-After` of every answer, so they are read past it. */
const listening = ({ session }: Place, heard: Heard): Requester => ({
  request: (headers) => {
    const stream = session.request(headers)
    heard.stream = stream
    stream.on('response', (answer) => {
      heard.status = Number(answer[':status'])
      const after = answer['retry-after']
      if (typeof after === 'string') heard.retryAfter = after
    })
    return stream
  },
})

const ended = { isEnded: true } as const

/** One request and its answer, if there is one within so many milliseconds. Never rejects. */
export const makeExchange =
  (client: LibraryClient, { enter }: Connections) =>
  async (token: string, outgoing: Outgoing, milliseconds: number): Promise<Exchanged> => {
    const heard: Heard = {}
    let place: Place | undefined
    let failure: unknown
    const ask = async (): Promise<typeof ended> => {
      try {
        place = await enter()
        await place.ready
        // It is another try's by now.
        if (heard.isLate) return ended
        await client.request(
          listening(place, heard),
          client.config.address,
          outgoing,
          `/3/device/${token}`,
          'POST',
        )
      } catch (thrown) {
        failure = thrown
      }
      return ended
    }
    const isAnswered = (await within<unknown>(Math.max(0, milliseconds), undefined, ask)) !== undefined
    heard.isLate = !isAnswered
    if (!isAnswered) heard.stream?.close(constants.NGHTTP2_CANCEL)
    place?.leave(isAnswered)
    if (isCertificateFault(place?.fault())) return 'certificate'
    if (heard.status === undefined) return 'silence'
    // A push that was taken is taken, even if the rest of the answer is missing.
    return isAnswered || heard.status === 200 ? readReply(heard.status, heard.retryAfter, failure) : 'silence'
  }
