import * as O from 'fp-ts/lib/Option.js'
import { makeStore } from '../../../packages/adapters-kysely/src/index.ts'
import { nodeSecrets } from '../../../packages/adapters-node/src/index.ts'
import { type ClientId, makeAddClient, makeRotateSecret } from '../../../packages/domain/src/index.ts'
import type { OwnEngine } from '../database.ts'
import { right } from '../either.ts'
import type { Stage } from './items.ts'
import type { Trial, Verdict } from './trial.ts'

/** A client and its secret. */
interface Known {
  readonly id: ClientId
  readonly secret: string
}

/** Trials of who may ask. Clients are changed as the command line does it: by a process that shares nothing with the nodes but the database. */
export const clientTrials = (engine: OwnEngine, { changed, asked }: Stage) => {
  const { clients } = makeStore(engine)
  const ports = { clients, secrets: nodeSecrets() }
  const add = makeAddClient(ports)
  const rotate = makeRotateSecret(ports)
  let count = 0

  const newClient = async (): Promise<Known> => {
    count += 1
    const id = `asker-${count}` as ClientId
    const client = { id, name: id, scopes: ['user'], roles: [], email: O.none, disabled: false } as const
    return { id, secret: (await right(add(client))).secret }
  }

  /** Asks for a token from an address of the client's own, since refusals are counted by it (A8). */
  const askToken = (url: string, { id, secret }: Known): Promise<Response> => {
    const from = `10.${(count >> 16) & 255}.${(count >> 8) & 255}.${count & 255}`
    return fetch(`${url}/oauth2/get-token`, {
      method: 'POST',
      headers: { 'x-forwarded-for': from },
      body: new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: secret }),
    })
  }

  const tokenOf = async (known: Known): Promise<string> => {
    const answer = await askToken(changed.url, known)
    return ((await answer.json()) as { access_token: string }).access_token
  }

  const verdict = async (answer: Promise<Response>, good: Verdict): Promise<Verdict> => {
    try {
      const { status, body } = await answer
      await body?.cancel()
      if (status === 200) return good
      return status === 401 ? (good === 'old' ? 'new' : 'old') : 'neither'
    } catch {
      return 'neither'
    }
  }

  /** Asks with a token for pages of several kinds. */
  const asksWith = (token: string, good: Verdict) =>
    ['/feed/?lim=20', '/library/?lim=20', '/portfolio/'].map(
      (path) => () =>
        verdict(fetch(`${asked.url}${path}`, { headers: { authorization: `Bearer ${token}` } }), good),
    )

  const refused = async (known: Known): Promise<string | undefined> => {
    const { status } = await askToken(asked.url, known)
    return status === 401 ? undefined : `a token is asked for that must not be given: ${status}`
  }

  return {
    disable: async (): Promise<Trial> => {
      const known = await newClient()
      return {
        asks: asksWith(await tokenOf(known), 'old'),
        enough: 5,
        change: async () => {
          await right(clients.setDisabled(known.id, true))
        },
        afterwards: () => refused(known),
      }
    },
    revoke: async (): Promise<Trial> => {
      const { id, secret } = await newClient()
      const token = await tokenOf({ id, secret })
      return {
        asks: asksWith(token, 'old'),
        enough: 5,
        change: async () => {
          const body = new URLSearchParams({ token, client_id: id, client_secret: secret })
          const { status } = await fetch(`${changed.url}/oauth2/revoke`, { method: 'POST', body })
          if (status !== 200) throw new Error(`status ${status} of a revocation`)
        },
      }
    },
    rotate: async (): Promise<Trial> => {
      const known = await newClient()
      let fresh = known
      return {
        asks: [() => verdict(askToken(asked.url, known), 'old')],
        // Fewer than would count as guessing.
        enough: 3,
        change: async () => {
          fresh = { id: known.id, secret: (await right(rotate(known.id, O.none))).secret }
        },
        afterwards: async () => {
          const { status } = await askToken(asked.url, fresh)
          return status === 200 ? undefined : `the new secret is answered with ${status}`
        },
      }
    },
  }
}
