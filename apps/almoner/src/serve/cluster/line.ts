/** What may be said at one end of a line: things told, and questions that the other end answers. */
export interface Talk {
  readonly tells: object
  readonly asks: Readonly<Record<string, { readonly question: unknown; readonly answer: unknown }>>
}

/** What is done about what comes from the other end. */
export interface Hears<T extends Talk> {
  readonly tells: { readonly [K in keyof T['tells']]: (body: T['tells'][K]) => void }
  readonly asks: {
    readonly [K in keyof T['asks']]: (
      question: T['asks'][K]['question'],
    ) => Promise<T['asks'][K]['answer']> | T['asks'][K]['answer']
  }
}

/** One end of a line between two processes. What is said when the other end has gone is lost; its questions are never answered. */
export interface Line<T extends Talk> {
  /** Resolves when it is on its way. */
  readonly tell: <K extends keyof T['tells'] & string>(name: K, body: T['tells'][K]) => Promise<void>
  readonly ask: <K extends keyof T['asks'] & string>(
    name: K,
    question: T['asks'][K]['question'],
  ) => Promise<T['asks'][K]['answer']>
}

/** How messages travel. */
export interface Channel {
  readonly send: (message: object, sent: () => void) => void
  readonly receive: (listener: (message: unknown) => void) => void
}

type Message =
  | { readonly kind: 'tell'; readonly name: string; readonly body: unknown }
  | { readonly kind: 'ask'; readonly name: string; readonly body: unknown; readonly id: number }
  | { readonly kind: 'answer'; readonly id: number; readonly body: unknown }

type Hear = (body: unknown) => unknown

/**
 * Holds a line. What the other end says and nobody here knows is passed over: at a restart the two may be programs of different
 * ages.
 */
export const holdLine = <Says extends Talk, Hearing extends Talk>(
  channel: Channel,
  hears: Hears<Hearing>,
): Line<Says> => {
  const tells = hears.tells as Readonly<Record<string, Hear>>
  const asks = hears.asks as Readonly<Record<string, Hear>>
  const waiting = new Map<number, (answer: unknown) => void>()
  let asked = 0
  const send = (message: Message) => new Promise<void>((resolve) => channel.send(message, resolve))
  const answer = async (id: number, question: Hear | undefined, body: unknown): Promise<void> => {
    if (question !== undefined) await send({ kind: 'answer', id, body: await question(body) })
  }
  const heard = (message: Message) => {
    switch (message.kind) {
      case 'tell':
        tells[message.name]?.(message.body)
        break
      case 'ask':
        void answer(message.id, asks[message.name], message.body)
        break
      case 'answer':
        waiting.get(message.id)?.(message.body)
        waiting.delete(message.id)
    }
  }
  channel.receive((message) => heard(message as Message))
  return {
    tell: (name, body) => send({ kind: 'tell', name, body }),
    ask: (name, question) => {
      asked += 1
      const id = asked
      const answered = new Promise<never>((resolve) => waiting.set(id, resolve as (answer: unknown) => void))
      void send({ kind: 'ask', name, body: question, id })
      return answered
    },
  }
}
