import type { Scene } from './scene.ts'

/** What library items and feed posts have in common. */
type Content = {
  /** At most 100 characters. */
  readonly title: string
  /** At most 1000 characters. */
  readonly description: string
  readonly lang: 'en' | 'fr'
  /** Shown to donors only. */
  readonly restricted: boolean
  readonly status: 'Draft' | 'Live' | 'Archived'
  /** Ids from `labels.json`. */
  readonly labels: readonly string[]
}

/** A publication. Its scene is painted twice: as the cover and as the notification image. */
export type DemoLibraryItem = Content & {
  readonly link: string
  /** YYYY-MM-DD */
  readonly publicationDate: string
  readonly scene: Scene
}

type PhotoPost = {
  readonly itemType: 'photo'
  readonly scene: Scene
  readonly link?: never
  readonly vlink?: never
}

type LinkPost = {
  readonly itemType: 'link'
  readonly link: string
  readonly vlink?: never
  readonly scene?: Scene
}

type VideoPost = {
  readonly itemType: 'vlink'
  readonly vlink: string
  readonly link?: never
  readonly scene?: Scene
}

/** A post of the news feed; its type decides whether it needs a picture, a link or a video. */
export type DemoFeedPost = Content & (PhotoPost | LinkPost | VideoPost)
