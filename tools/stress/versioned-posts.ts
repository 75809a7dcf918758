// Posts that clients create and edit, and what must be there of them afterwards.
import { setTimeout as pause } from 'node:timers/promises'
import { check, checkTitles } from './campaign.ts'

/** Edits of each post. */
const EDITS = 3

/** Sends a request to any node. Resolves to undefined unless it is answered with 200. */
export type Send = <A>(kind: string, path: string, body?: object) => Promise<A | undefined>

interface Shown {
  readonly item: {
    readonly itemId: string
    readonly itemTitle: string
    readonly itemDescription: string
    readonly link: string
  }
}

const linkOf = (version: string): string => `https://example.org/${version}`
const post = (version: string) => ({
  itemType: 'link',
  itemTitle: version,
  itemDescription: version,
  link: linkOf(version),
})

/** Makes the posts of a campaign. */
export const makePosts = (send: Send) => {
  /** The versions of each acknowledged post that may be there: the last acknowledged one and all that were sent later. */
  const versions = new Map<string, Array<string>>()
  /** The names that were sent, and whether the creation was acknowledged. */
  const posts = new Map<string, boolean>()
  return {
    /** Creates posts and edits each, until `isOver`. */
    write: async (writer: string, isOver: () => boolean): Promise<void> => {
      for (let n = 0; !isOver(); n += 1) {
        const name = `${writer}-${n}`
        const created = await send<Shown>('posts', '/feed/', post(`${name}.0`))
        posts.set(name, created !== undefined)
        for (let edit = 1, known = [`${name}.0`]; created !== undefined && edit <= EDITS; edit += 1) {
          const [{ itemId }, version] = [created.item, `${name}.${edit}`]
          await pause(Math.random() * 50)
          const edited = await send('edits', `/feed/${itemId}`, { ...post(version), status: 'Draft' })
          known = edited === undefined ? [...known, version] : [version]
          versions.set(itemId, known)
        }
      }
    },
    /** Looks for posts that are lost, torn or twice. Resolves to how many there are. */
    judge: async (): Promise<number> => {
      const whole = await send<{ items: ReadonlyArray<Shown> }>('whole', '/feed/')
      const items = whole?.items.map(({ item }) => item) ?? []
      checkTitles(
        posts,
        items.map(({ itemTitle }) => itemTitle.replace(/\.\d$/, '')),
      )
      for (const { itemId, itemTitle, itemDescription, link } of items) {
        check(itemTitle === itemDescription && link === linkOf(itemTitle), `${itemTitle} is torn: ${link}`)
        const known = versions.get(itemId) ?? [itemTitle]
        check(known.includes(itemTitle), `${itemId} is ${itemTitle} instead of ${known.join(' or ')}`)
      }
      return items.length
    },
  }
}
