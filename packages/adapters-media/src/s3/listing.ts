import type { Instant } from '@almoner/domain'
import { instant } from '@almoner/domain/values'
import { ListObjectsV2Command, type ListObjectsV2CommandOutput } from '@aws-sdk/client-s3'
import { ask, type Connection } from './connection.ts'
import { rootOf } from './keys.ts'

/** An object of the store: the last part of its key, and its date. */
export interface ListedObject<Name extends string> {
  readonly name: Name
  readonly storedAt: Instant
}

const page = (connection: Connection, folder: string, token: string | undefined) => {
  const { client, place, limits } = connection
  const command = new ListObjectsV2Command({
    Bucket: place.bucket,
    Prefix: `${rootOf(place.prefix)}${folder}`,
    // What lies further below is not looked at.
    Delimiter: '/',
    ContinuationToken: token,
  })
  return ask('listing images', limits.request, (abortSignal) => client.send(command, { abortSignal }))
}

/** Lists from the store that never end, or end too early, would stop or mislead the sweep (D10). */
const faulty = (what: string): Error => new Error(`the S3 store: listing images: ${what}`)

/**
 * Returns the token of the next page; undefined at the end.
 * @param asked the tokens of earlier pages, to which it is added
 */
const nextToken = (
  { IsTruncated, NextContinuationToken: token = '' }: ListObjectsV2CommandOutput,
  asked: Set<string>,
): string | undefined => {
  if (IsTruncated === false) return undefined
  if (asked.has(token)) throw faulty('it repeats the token of an earlier page, so that they never end')
  if (token !== '') {
    asked.add(token)
    return token
  }
  if (IsTruncated === true) throw faulty('it says that there is more, without a token to ask for it')
  return undefined
}

/**
 * Lists the objects of a folder below the prefix with names of images, a page of the store (at most a thousand) at a time. Ignores other
 * objects. Throws where a token repeats or is missing (D10).
 * @param folder empty, or with a trailing slash
 */
export async function* listedObjects<Name extends string>(
  connection: Connection,
  folder: string,
  isName: (name: string) => name is Name,
): AsyncGenerator<ReadonlyArray<ListedObject<Name>>, void> {
  const root = `${rootOf(connection.place.prefix)}${folder}`
  const asked = new Set<string>()
  let token: string | undefined
  do {
    const listed = await page(connection, folder, token)
    const found = (listed.Contents ?? []).flatMap(({ Key = '', LastModified }) => {
      const name = Key.slice(root.length)
      return Key.startsWith(root) && isName(name) && LastModified !== undefined
        ? [{ name, storedAt: instant(LastModified.getTime()) }]
        : []
    })
    if (found.length > 0) yield found
    token = nextToken(listed, asked)
  } while (token !== undefined)
}

/** Whether the store lets us list our images: rejects with the reason when it does not. */
export const askForOne = async (connection: Connection): Promise<void> => {
  const { client, place, limits } = connection
  const command = new ListObjectsV2Command({
    Bucket: place.bucket,
    Prefix: rootOf(place.prefix),
    MaxKeys: 1,
  })
  await ask('listing images', limits.request, (abortSignal) => client.send(command, { abortSignal }))
}
