import { foreignUploads } from './corpus/foreign.ts'
import { refusedJpegs } from './corpus/jpeg-broken.ts'
import { soundJpegs } from './corpus/jpeg-sound.ts'
import { refusedPngs } from './corpus/png-broken.ts'
import { soundPngs } from './corpus/png-sound.ts'
import { sizedUploads } from './corpus/sizes.ts'
import type { Upload } from './corpus/upload.ts'

export type { Expectation, Upload } from './corpus/upload.ts'

const build = async (): Promise<ReadonlyArray<Upload>> => [
  ...(await soundPngs()),
  ...(await soundJpegs()),
  ...(await foreignUploads()),
  ...(await sizedUploads()),
  ...refusedPngs(),
  ...(await refusedJpegs()),
]

let built: Promise<ReadonlyArray<Upload>> | undefined

/**
 * Sound, odd and hostile uploads with what must become of each (D1). Made by code, the same on every run; once for all tests of a
 * process, as making them takes seconds.
 */
export const buildCorpus = (): Promise<ReadonlyArray<Upload>> => (built ??= build())
