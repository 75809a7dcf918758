import type { Socket } from 'node:net'

const END = '\r\n\r\n'

/** The first answer in a text, and what follows it; nothing where it is not whole yet. Answers tell their length. */
const answerIn = (text: string): { readonly status: number; readonly rest: string } | undefined => {
  const end = text.indexOf(END)
  if (end < 0) return undefined
  const length = Number(/^content-length: (\d+)/im.exec(text.slice(0, end))?.[1] ?? 0)
  const whole = end + END.length + length
  return text.length < whole ? undefined : { status: Number(text.slice(9, 12)), rest: text.slice(whole) }
}

/** Tells of each answer that comes on a connection, once it is whole: by its status, or 0 when the connection has ended instead. */
export const onAnswers = (socket: Socket, tell: (status: number) => void): void => {
  let text = ''
  socket.on('data', (bytes: Buffer) => {
    text += bytes.toString('latin1')
    for (let answer = answerIn(text); answer !== undefined; answer = answerIn(text)) {
      text = answer.rest
      tell(answer.status)
    }
  })
  socket.once('close', () => tell(0))
}
