import {
  CalendarDay,
  CreateLibraryItem,
  LIBRARY_IMAGES,
  type LibraryImage,
  type LibraryItem,
  makeCreateLibraryItem,
  makeUpdateLibraryItem,
  makeUploadLibraryImage,
  OneLibraryImage,
  type Unavailable,
  UpdateLibraryItem,
} from '@almoner/domain'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { DemoLibraryItem } from '../../demo/content.ts'
import { demoLibrary } from '../../demo/library.ts'
import { paint } from '../../demo/scene.ts'
import { DEMO_EDITOR } from './clients.ts'
import { heldItems } from './held.ts'
import { type Planting, plant, type Step } from './plant.ts'
import { at, command, mustSucceed, oneByOne, type Seeding, unlessStopping } from './seeding.ts'
import { type Moments, publicationMoments } from './timeline.ts'

/** Pixels of the two pictures: a page to leaf through, and the wide form that notifications show. */
const SIZES: Readonly<Record<LibraryImage, readonly [width: number, height: number]>> = {
  cover: [900, 1200],
  notification: [1200, 600],
}

const parametersOf = (content: DemoLibraryItem) => ({
  itemTitle: content.title,
  itemDescription: content.description,
  link: content.link,
  itemPublicationDate: content.publicationDate,
  isDonorRestricted: content.restricted,
  lang: content.lang,
})

const illustrate =
  ({ ports, render }: Seeding, { scene }: DemoLibraryItem, { created }: Moments) =>
  (which: LibraryImage): Step<LibraryItem> =>
  (item) => {
    if (O.isSome(item.images[which])) return TE.right(item)
    const upload = makeUploadLibraryImage(at(ports, created))
    const place = command(OneLibraryImage, { itemId: item.id, image: which })
    return pipe(
      render(paint(scene, ...SIZES[which]), 'image/jpeg'),
      TE.flatMap((bytes) => mustSucceed(upload(DEMO_EDITOR, place, bytes, O.none))),
    )
  }

const publish =
  ({ ports, policy }: Seeding, content: DemoLibraryItem, { published }: Moments): Step<LibraryItem> =>
  (item) => {
    if (item.status === content.status) return TE.right(item)
    const update = makeUpdateLibraryItem(at(ports, published), policy)
    const asked = { ...parametersOf(content), itemId: item.id, status: content.status }
    return mustSucceed(update(DEMO_EDITOR, command(UpdateLibraryItem, asked), O.none))
  }

const plantingOf = (seeding: Seeding, content: DemoLibraryItem, moments: Moments): Planting<LibraryItem> => ({
  create: mustSucceed(
    makeCreateLibraryItem(at(seeding.ports, moments.created))(
      DEMO_EDITOR,
      command(CreateLibraryItem, parametersOf(content)),
    ),
  ),
  steps: [...LIBRARY_IMAGES.map(illustrate(seeding, content, moments)), publish(seeding, content, moments)],
  labels: content.labels,
})

/** The publications, oldest first, each with its two pictures, its labels and in its state. */
export const seedLibrary = (seeding: Seeding): TE.TaskEither<Unavailable, unknown> =>
  pipe(
    heldItems<LibraryItem>(seeding.ports.libraryItems),
    TE.flatMap((held) =>
      oneByOne([...demoLibrary.entries()], ([n, content]) => {
        const day = command(CalendarDay, content.publicationDate)
        const moments = publicationMoments(seeding.now, demoLibrary.length - 1 - n, day)
        const planted = plant(
          seeding,
          'library',
          held.get(content.title),
          plantingOf(seeding, content, moments),
        )
        return unlessStopping(seeding)(planted)
      }),
    ),
  )
