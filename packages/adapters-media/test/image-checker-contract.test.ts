import { imageCheckerContract, imageRendererContract } from '@almoner/testkit/contracts'
import { sharpImageChecker, sharpImages } from '../src/index.ts'
import { SECRET } from './corpus/exif.ts'
import { foreignUploads } from './corpus/foreign.ts'
import { plainJpeg } from './corpus/jpeg-file.ts'
import { lyingJpeg, talkativeJpeg } from './corpus/jpeg-sound.ts'
import { refusedPngs } from './corpus/png-broken.ts'
import { plainPng } from './corpus/png-file.ts'
import { lyingPng, talkativePng } from './corpus/png-sound.ts'
import type { Expectation, Upload } from './corpus/upload.ts'
import { runner } from './runner.ts'

const byName = (uploads: ReadonlyArray<Upload>, expected: Expectation) =>
  Object.fromEntries(
    uploads.filter(({ expectFeed }) => expectFeed === expected).map(({ name, bytes }) => [name, bytes]),
  )

imageCheckerContract(runner, () => sharpImageChecker(), {
  sound: { 'image/jpeg': await plainJpeg(), 'image/png': plainPng() },
  talkative: { 'image/jpeg': await talkativeJpeg(), 'image/png': talkativePng() },
  secret: SECRET,
  lying: { 'image/jpeg': await lyingJpeg(), 'image/png': lyingPng() },
  foreign: byName(await foreignUploads(), 'unsupported'),
  animated: byName(refusedPngs(), 'animated'),
})

imageRendererContract(runner, () => sharpImages().imageRenderer, {
  sound: plainPng(),
  size: { width: 400, height: 560 },
  broken: plainPng().subarray(0, 20),
  sizeOf: async (rendition) => {
    // A WebP without alpha, whose size begins after its key frame: the process's decoder may not load it.
    const bytes = Buffer.from(rendition)
    const [width, height] = [bytes.readUInt16LE(26), bytes.readUInt16LE(28)]
    return bytes.toString('latin1', 8, 16) === 'WEBPVP8 ' ? { width, height } : { width: 0, height: 0 }
  },
})
