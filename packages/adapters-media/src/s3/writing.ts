import { createHash } from 'node:crypto'
import type { Instant, Unavailable } from '@almoner/domain'
import {
  type MediaName,
  namesOfStem,
  RENDITION_FOLDER,
  type RenditionName,
  renditionsOf,
  type StorageId,
  stemOf,
} from '@almoner/domain/media'
import {
  CLAIM_ENDING,
  claimState,
  claimText,
  type ImageFile,
  imageFileType,
  isClaimName,
  type RenditionClaim,
} from '@almoner/domain/ports'
import { instant } from '@almoner/domain/values'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  PutObjectCommand,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { attempt, MARKER, markerIn } from '../storage.ts'
import { ask, type Connection, isMissing, keyOf, rootOf, unlessMissing } from './connection.ts'

/** What a bucket that is read directly says of its objects: under a name they never change (D2, H1). */
const FOREVER = 'public, max-age=31536000, immutable'

/** Stores the bytes of an image. The store has them for good when this succeeds. */
export const putObject = (
  { client, place: { bucket, prefix }, limits }: Connection,
  file: ImageFile,
  bytes: Uint8Array,
): TE.TaskEither<Unavailable, void> =>
  attempt(async () => {
    // A copy, so that the bytes stay the same between attempts.
    const body = Buffer.from(bytes)
    const command = new PutObjectCommand({
      Bucket: bucket,
      Key: keyOf(prefix, file),
      Body: body,
      ContentMD5: createHash('md5').update(body).digest('base64'),
      ContentType: imageFileType(file),
      CacheControl: FOREVER,
    })
    await ask('storing an image', limits.upload, (abortSignal) => client.send(command, { abortSignal }))
  })

/** Deletes an image; one that is not there is no fault: most stores say the same of both, others answer 404. */
export const deleteObject = (
  { client, place: { bucket, prefix }, limits }: Connection,
  file: ImageFile,
): TE.TaskEither<Unavailable, void> =>
  attempt(async () => {
    const command = new DeleteObjectCommand({ Bucket: bucket, Key: keyOf(prefix, file) })
    await ask('deleting an image', limits.request, (abortSignal) =>
      unlessMissing(client.send(command, { abortSignal })),
    )
  })

/** The statuses with which stores refuse a condition: it is not met, another request is under way, or they know none. */
const [NOT_MET, UNDER_WAY, UNKNOWN] = [412, 409, 501]

const claimObject = ({ place: { bucket, prefix } }: Connection, name: MediaName) => ({
  Bucket: bucket,
  Key: `${rootOf(prefix)}${RENDITION_FOLDER}${stemOf(name)}${CLAIM_ENDING}`,
})

/** Writes a claim; a new one only if there is none. Resolves to the status of a refusal. */
const putClaim = async (
  connection: Connection,
  name: MediaName,
  text: string,
  isNew: boolean,
): Promise<number | undefined> => {
  const command = new PutObjectCommand({
    ...claimObject(connection, name),
    Body: text,
    ContentType: 'text/plain',
    ...(isNew && { IfNoneMatch: '*' }),
  })
  return ask('claiming renditions', connection.limits.request, async (abortSignal) => {
    try {
      await connection.client.send(command, { abortSignal })
      return undefined
    } catch (cause) {
      const status = cause instanceof S3ServiceException ? cause.$metadata.httpStatusCode : undefined
      if (status === NOT_MET || status === UNDER_WAY || status === UNKNOWN) return status
      throw cause
    }
  })
}

const readClaim = (connection: Connection, name: MediaName): Promise<string | undefined> =>
  ask('reading a claim', connection.limits.request, async (abortSignal) => {
    const command = new GetObjectCommand(claimObject(connection, name))
    const found = await unlessMissing(connection.client.send(command, { abortSignal }))
    return found?.Body?.transformToString()
  })

/** Claims the renditions of an image by a conditional write; a store without conditions gives a claim to all (D8). */
export const claimRenditions = (
  connection: Connection,
  name: MediaName,
  now: () => Instant,
): TE.TaskEither<Unavailable, RenditionClaim> =>
  attempt(async () => {
    const refused = await putClaim(connection, name, claimText(now(), false), true)
    if (refused === undefined || refused === UNKNOWN) return 'claimed'
    const held = refused === NOT_MET ? await readClaim(connection, name) : undefined
    const state = held === undefined ? 'taken' : claimState(held, now())
    if (state === 'claimed') await putClaim(connection, name, claimText(now(), false), false)
    return state
  })

const deleteClaim = async (connection: Connection, name: MediaName): Promise<void> => {
  const command = new DeleteObjectCommand(claimObject(connection, name))
  await ask('deleting a claim', connection.limits.request, (abortSignal) =>
    unlessMissing(connection.client.send(command, { abortSignal })),
  )
}

/** Ends a claim, or marks the image as broken. */
export const releaseRenditions = (
  connection: Connection,
  name: MediaName,
  isBroken: boolean,
  now: () => Instant,
): TE.TaskEither<Unavailable, void> =>
  attempt(async () => {
    if (!isBroken) return deleteClaim(connection, name)
    await putClaim(connection, name, claimText(now(), true), false)
  })

const deleteRenditionsOf = (connection: Connection, name: MediaName) =>
  pipe(
    renditionsOf(name),
    // One after the other: a store that does not answer is asked for the first only.
    TE.traverseSeqArray((one: RenditionName) => deleteObject(connection, { kind: 'rendition', name: one })),
  )

/** Deletes a claim that is old at a moment, or the mark of a broken image. Resolves to whether there was one. */
const deleteOldClaim = async (connection: Connection, name: MediaName, now: Instant): Promise<boolean> => {
  const held = await readClaim(connection, name)
  if (held === undefined || claimState(held, now) === 'taken') return false
  await deleteClaim(connection, name)
  return true
}

const isThere = ({ client, limits, place: { bucket, prefix } }: Connection, name: MediaName) =>
  ask('looking at an image', limits.request, async (abortSignal) => {
    const command = new HeadObjectCommand({ Bucket: bucket, Key: keyOf(prefix, { kind: 'upload', name }) })
    return (await unlessMissing(client.send(command, { abortSignal }))) !== undefined
  })

/** Deletes the renditions of an image that is gone, with an old claim. Resolves to whether there was one. */
const removeStray = async (connection: Connection, stem: string, now: Instant): Promise<boolean> => {
  const names = namesOfStem(stem)
  for (const name of names) if (await isThere(connection, name)) return false
  const [name = '' as MediaName] = names
  const held = await readClaim(connection, name)
  if (held === undefined || claimState(held, now) === 'taken') return false
  const deleted = await deleteRenditionsOf(connection, name)()
  if (E.isLeft(deleted)) throw deleted.left.cause
  await deleteClaim(connection, name)
  return true
}

/** Deletes the renditions of images that are gone, with their old claims (D6, D8). Returns the number of images. */
export const removeStrayRenditions = (
  connection: Connection,
  now: Instant,
): TE.TaskEither<Unavailable, number> =>
  attempt(async () => {
    let count = 0
    for await (const batch of listedObjects(connection, RENDITION_FOLDER, isClaimName))
      for (const { name } of batch)
        if (await removeStray(connection, name.slice(0, -CLAIM_ENDING.length), now)) count += 1
    return count
  })

/**
 * Deletes an image with its renditions and their claim, unless that is held. Renditions go first: if one cannot be deleted, the image stays, and
 * the sweep tries again. They go again after the image, because another process may have made some meanwhile.
 */
export const deleteUpload = (
  connection: Connection,
  name: MediaName,
  now: () => Instant,
): TE.TaskEither<Unavailable, void> => {
  const deleteRenditions = deleteRenditionsOf(connection, name)
  return pipe(
    // Throws for a text that is no name, before the first request.
    attempt(async () => keyOf(connection.place.prefix, { kind: 'upload', name })),
    TE.flatMap(() => deleteRenditions),
    TE.flatMap(() => deleteObject(connection, { kind: 'upload', name })),
    TE.flatMap(() => deleteRenditions),
    TE.flatMap(() => attempt(() => deleteOldClaim(connection, name, now()))),
    TE.asUnit,
  )
}

/** An object of the store: the last part of its key, and its date. */
interface ListedObject<Name extends string> {
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

const object = ({ place: { bucket, prefix } }: Connection) => ({
  Bucket: bucket,
  Key: `${rootOf(prefix)}${MARKER}`,
})

/** Reads the identity that the bucket bears below its prefix; none when it bears none (D6). */
export const readMarker = (connection: Connection): TE.TaskEither<Unavailable, O.Option<StorageId>> =>
  attempt(() =>
    ask('reading the storage’s identity', connection.limits.request, async (abortSignal) => {
      try {
        const { Body } = await connection.client.send(new GetObjectCommand(object(connection)), {
          abortSignal,
        })
        return Body === undefined ? O.none : markerIn(await Body.transformToString())
      } catch (cause) {
        if (isMissing(cause)) return O.none
        throw cause
      }
    }),
  )

/** Stores the identity below the prefix, in place of an earlier one. */
export const writeMarker = (connection: Connection, id: StorageId): TE.TaskEither<Unavailable, void> =>
  attempt(async () => {
    const command = new PutObjectCommand({
      ...object(connection),
      Body: `${id}\n`,
      ContentType: 'text/plain',
    })
    await ask('storing the storage’s identity', connection.limits.request, (abortSignal) =>
      connection.client.send(command, { abortSignal }),
    )
  })
