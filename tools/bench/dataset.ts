import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, makeAddClient, type Scope } from '@almoner/domain/access'
import { type ClientId, instant } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import { makeStore } from '../../packages/adapters-kysely/src/index.ts'
import { nodeSecrets } from '../../packages/adapters-node/src/index.ts'
import { done } from '../../packages/testkit/src/contracts/index.ts'
import type { OwnEngine } from '../stress/database.ts'
import { fillItemsIn } from './fill.ts'
import { manyOrganizations } from './organizations.ts'

/** How much data there is. */
export interface Size {
  readonly items: number
  /** In the library for the deep rank. */
  readonly manyItems: number
  readonly organizations: number
  /** Devices of the reviews. */
  readonly devices: number
  /** Pixels of an uploaded image. */
  readonly image: { readonly width: number; readonly height: number }
}

/** An access token that every server of the bench knows. */
export interface Grant {
  readonly token: string
  /** Whether it belongs to a content manager, who sees Drafts and writes. */
  readonly manager: boolean
}

/** The data of all servers, in temporary folders. */
export interface Dataset {
  readonly size: Size
  readonly grants: Readonly<Record<'reader' | 'manager', Grant>>
  newFolder(): string
  /** Fills a database with items, organizations, clients and tokens. Resolves to the secret of the client `reader`. */
  fill(engine: OwnEngine, items: number): Promise<string>
  remove(): void
}

const DAY = 86_400_000
const SCOPES = { reader: 'user', manager: 'content-manager' } as const satisfies Record<string, Scope>

/** Makes a dataset, whose rows are written through the service's own repositories. */
export const makeDataset = (size: Size): Dataset => {
  const parent = mkdtempSync(join(tmpdir(), 'almoner-bench-'))
  const secrets = nodeSecrets()
  const grants = {
    reader: { token: secrets.mint(), manager: false },
    manager: { token: secrets.mint(), manager: true },
  }
  return {
    size,
    grants,
    newFolder: () => mkdtempSync(join(parent, 'data-')),
    fill: async (engine, items) => {
      await fillItemsIn(engine, items)
      const { clients, accessTokens, portfolio } = makeStore(engine)
      await done(portfolio.replace(manyOrganizations(size.organizations)))
      const add = async (name: keyof typeof SCOPES): Promise<string> => {
        const [id, scopes] = [name as ClientId, [SCOPES[name]]]
        const client = { id, name, scopes, roles: [], email: O.none, disabled: false }
        const { secret } = await done(makeAddClient({ clients, secrets })(client))
        const digest = secrets.digest(grants[name].token)
        await done(accessTokens.add({ digest, clientId: id, scopes, expiresAt: instant(Date.now() + DAY) }))
        return secret
      }
      await add('manager')
      // A client that obtains tokens for people, and has no secret (A10).
      const app: Client = {
        ...{ id: 'app' as ClientId, name: 'app', scopes: ['user', 'user-donor'], roles: [], email: O.none },
        ...{ disabled: false, forPeople: { isPublic: true, audience: O.none } },
      }
      await done(makeAddClient({ clients, secrets })(app))
      return add('reader')
    },
    remove: () => rmSync(parent, { recursive: true, force: true }),
  }
}
