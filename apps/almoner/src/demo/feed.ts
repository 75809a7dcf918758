import {
  CreateFeedItem,
  FEED_IMAGE,
  type FeedItem,
  makeCreateFeedItem,
  makeUpdateFeedItem,
  makeUploadFeedImage,
  OneFeedImage,
  type Unavailable,
  UpdateFeedItem,
} from '@almoner/domain'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { DemoFeedPost } from '../../demo/content.ts'
import { demoFeed } from '../../demo/feed.ts'
import { paint } from '../../demo/scene.ts'
import { DEMO_EDITOR } from './clients.ts'
import { heldItems } from './held.ts'
import { type Planting, plant, type Step } from './plant.ts'
import { at, command, mustSucceed, oneByOne, type Seeding, unlessStopping } from './seeding.ts'
import { type Moments, postMoments } from './timeline.ts'

/** The size that D1 asks for. */
const [WIDTH, HEIGHT] = FEED_IMAGE.kind === 'exactly' ? [FEED_IMAGE.width, FEED_IMAGE.height] : [400, 560]

const parametersOf = (content: DemoFeedPost) => ({
  itemType: content.itemType,
  itemTitle: content.title,
  itemDescription: content.description,
  link: content.link,
  vlink: content.vlink,
  isDonorRestricted: content.restricted,
  lang: content.lang,
})

const illustrate =
  ({ ports, policy, render }: Seeding, { scene }: DemoFeedPost, { created }: Moments): Step<FeedItem> =>
  (item) => {
    if (scene === undefined || O.isSome(item.content.image)) return TE.right(item)
    const upload = makeUploadFeedImage(at(ports, created), policy)
    const place = command(OneFeedImage, { itemId: item.id })
    return pipe(
      render(paint(scene, WIDTH, HEIGHT), 'image/jpeg'),
      TE.flatMap((bytes) => mustSucceed(upload(DEMO_EDITOR, place, bytes, O.none))),
    )
  }

const publish =
  ({ ports }: Seeding, content: DemoFeedPost, { published }: Moments): Step<FeedItem> =>
  (item) => {
    if (item.status === content.status) return TE.right(item)
    const update = makeUpdateFeedItem(at(ports, published))
    const asked = { ...parametersOf(content), itemId: item.id, status: content.status }
    return mustSucceed(update(DEMO_EDITOR, command(UpdateFeedItem, asked), O.none))
  }

const plantingOf = (seeding: Seeding, content: DemoFeedPost, moments: Moments): Planting<FeedItem> => ({
  create: mustSucceed(
    makeCreateFeedItem(at(seeding.ports, moments.created))(
      DEMO_EDITOR,
      command(CreateFeedItem, parametersOf(content)),
    ),
  ),
  steps: [illustrate(seeding, content, moments), publish(seeding, content, moments)],
  labels: content.labels,
})

/** The posts, oldest first, each with its picture if it has one, its labels and in its state. */
export const seedFeed = (seeding: Seeding): TE.TaskEither<Unavailable, unknown> =>
  pipe(
    heldItems<FeedItem>(seeding.ports.feedItems),
    TE.flatMap((held) =>
      oneByOne([...demoFeed.entries()], ([n, content]) => {
        const moments = postMoments(seeding.now, demoFeed.length - 1 - n)
        const planted = plant(seeding, 'feed', held.get(content.title), plantingOf(seeding, content, moments))
        return unlessStopping(seeding)(planted)
      }),
    ),
  )
