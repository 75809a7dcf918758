import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as O from 'fp-ts/lib/Option.js'
import { nodeSecrets } from '../../../packages/adapters-node/src/index.ts'
import { done } from '../../../packages/domain/contracts/index.ts'
import {
  type ClientId,
  instant,
  type LabelId,
  type LabelName,
  type Scope,
} from '../../../packages/domain/src/index.ts'
import type { Grant } from '../baseline/tokens.ts'
import { fill } from '../fill.ts'
import { openStore } from '../store.ts'
import { manyOrganizations } from './organizations.ts'

/** How much data there is. */
export interface Size {
  readonly items: number
  /** In the library for the deep rank. */
  readonly manyItems: number
  readonly organizations: number
  /** Registered for the review that goes on meanwhile. */
  readonly devices: number
  /** Pushed to in a review that is timed. */
  readonly pushes: number
  /** Of an image that is uploaded, in pixels. */
  readonly image: { readonly width: number; readonly height: number }
}

/** Folders with data, and the tokens and credentials that are good in each. */
export interface Ground {
  readonly size: Size
  /** Callers: one with scope `user`, and a content manager. */
  readonly grants: { readonly reader: Grant; readonly manager: Grant }
  readonly client: { readonly clientId: string; readonly secret: string }
  /** A new folder with a library of so many items, the portfolio and the labels. */
  folder(items: number): Promise<string>
  /** A new folder with nothing in it. */
  empty(): string
  remove(): void
}

const LABELS = 40
const DAY = 86_400_000
const CLIENTS = { reader: 'user', manager: 'content-manager' } as const satisfies Record<string, Scope>

const secrets = nodeSecrets()
const grantOf = (manager: boolean): Grant => ({ token: secrets.mint(), manager })

/** Makes folders as they are asked for, with everything written through the service's own repositories. */
export const makeGround = async (size: Size): Promise<Ground> => {
  const parent = mkdtempSync(join(tmpdir(), 'almoner-bench-'))
  const grants = { reader: grantOf(false), manager: grantOf(true) }
  const client = { clientId: 'reader', secret: secrets.mint() }
  const hash = await done(secrets.hash(client.secret))
  const empty = () => mkdtempSync(join(parent, 'data-'))
  return {
    size,
    grants,
    client,
    empty,
    folder: async (items) => {
      const folder = empty()
      const file = join(folder, 'almoner.db')
      await fill(file, items)
      const { engine, clients, accessTokens, labels, portfolio } = await openStore(file)
      for (const name of ['reader', 'manager'] as const) {
        const common = { id: name as ClientId, scopes: [CLIENTS[name]] }
        await done(clients.add({ ...common, name, roles: [], email: O.none, disabled: false }, hash))
        const digest = secrets.digest(grants[name].token)
        const expiresAt = instant(Date.now() + DAY)
        await done(accessTokens.add({ digest, clientId: common.id, scopes: common.scopes, expiresAt }))
      }
      const label = (n: number) => ({
        labelId: `label-${n}` as LabelId,
        en: `Label ${n}` as LabelName,
        fr: `Étiquette ${n}` as LabelName,
      })
      await done(labels.replaceAll(Array.from({ length: LABELS }, (_, n) => label(n))))
      await done(portfolio.replace(manyOrganizations(size.organizations)))
      await engine.close()
      return folder
    },
    remove: () => rmSync(parent, { recursive: true, force: true }),
  }
}
