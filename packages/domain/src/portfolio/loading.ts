import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { ActedBy } from '../access/acts.ts'
import { contentFaultText, type FileName, type ImageFault } from '../media/model.ts'
import {
  type CheckedPortfolioImage,
  type PortfolioImage,
  type PortfolioImageKind,
  portfolioImageName,
  portfolioImagePath,
} from '../media/portfolio-images.ts'
import { attempt, isUnavailable, type Unavailable } from '../values/ports.ts'
import type { PortfolioChanged } from './changes.ts'
import type {
  ImageResult,
  ImageUse,
  NamedImage,
  PlanSummary,
  PortfolioDraft,
  UploadRefused,
} from './draft.ts'
import { type PortfolioContent, storedImagesOf } from './model.ts'
import type { PortfolioPorts } from './ports.ts'
import { PORTFOLIO_LIMITS, type PortfolioRefused, portfolioRefused } from './source.ts'

/** An image's file cannot be taken; the sentence completes "<field> …". */
export interface FileRefused {
  readonly _tag: 'FileRefused'
  readonly message: string
}

/** The refusal of a file; `message` completes "<field> …". */
export const fileRefused = (message: string): FileRefused => ({ _tag: 'FileRefused', message })

/** Gives the bytes of an image's file, bounded; FileRefused when it is not there or too large. */
export type ReadImageFile = (
  kind: PortfolioImageKind,
  file: FileName,
) => TE.TaskEither<FileRefused | Unavailable, Uint8Array>

/** An image of a file, and the name under which it is stored. */
export interface CheckedFile {
  readonly image: PortfolioImage
  readonly checked: CheckedPortfolioImage
}

const sentence = (fault: ImageFault): string => {
  switch (fault._tag) {
    case 'ImageTooLarge':
      return 'has too many bytes'
    case 'WrongImageSize':
      return `is too large: ${fault.width} by ${fault.height} pixels`
    default:
      return contentFaultText(fault)
  }
}

/** Returns whether a portfolio shows an image of a kind with a digest: its file is one of an export, then. */
const isStoredIn = (before: PortfolioContent) => {
  const names = new Set(storedImagesOf(before).map(({ kind, name }) => `${kind} ${name.split('.')[1]}`))
  return (kind: PortfolioImageKind) => (digest: string) => names.has(`${kind} ${digest.slice(0, 16)}`)
}

type IsStored = ReturnType<typeof isStoredIn>

/** Reads and checks an image's file; the same file always gives the same image. */
const checkFile = (
  ports: Pick<PortfolioPorts, 'portfolioImageChecker'>,
  read: ReadImageFile,
  { kind, file }: Pick<ImageUse, 'kind' | 'file'>,
  isStored: IsStored,
): TE.TaskEither<FileRefused | Unavailable, CheckedFile> =>
  pipe(
    read(kind, file),
    TE.flatMap((bytes) =>
      pipe(
        ports.portfolioImageChecker.check(bytes, isStored(kind)),
        TE.mapError((fault) => (isUnavailable(fault) ? fault : fileRefused(sentence(fault)))),
      ),
    ),
    TE.map((checked) => ({ image: { kind, name: portfolioImageName(file, checked) }, checked })),
  )

/** A good image of a file, without its bytes: of all images of a portfolio only one is in memory at a time. */
export interface KnownFile {
  readonly use: NamedImage
  readonly image: PortfolioImage
  readonly width: number
  readonly height: number
}

/** How far a load has come. */
export type Report = (step: 'checking' | 'storing', done: number, of: number) => void

/** The good images, and why the others cannot be taken. */
export interface CheckedFiles {
  readonly files: ReadonlyArray<KnownFile>
  readonly refusals: ReadonlyArray<ImageResult>
}

/** Checks every image that rows name, one after the other, until there are too many bad ones to name all (H1, H4). */
const checkFiles =
  (
    ports: Pick<PortfolioPorts, 'portfolioImageChecker'>,
    { read, report }: PortfolioMaterial,
    images: ReadonlyArray<NamedImage>,
    isStored: IsStored,
  ): TE.TaskEither<Unavailable, CheckedFiles> =>
  async () => {
    const files: Array<KnownFile> = []
    const refusals: Array<ImageResult> = []
    for (const [at, use] of images.entries()) {
      if (refusals.length >= PORTFOLIO_LIMITS.faults) break
      report('checking', at, images.length)
      const { kind, file } = use
      const result = await checkFile(ports, read, use, isStored)()
      if (E.isRight(result)) {
        const { image, checked } = result.right
        files.push({ use, image, width: checked.width, height: checked.height })
      } else if (isUnavailable(result.left)) return E.left(result.left)
      else refusals.push({ kind, file, refusal: result.left.message })
    }
    return E.right({ files, refusals })
  }

/** Returns what was found about each image that was checked. */
export const resultsOf = ({ files, refusals }: CheckedFiles): ReadonlyArray<ImageResult> => [
  ...refusals,
  ...files.map(({ use: { kind, file }, image: { name } }) => ({ kind, file, name })),
]

/** What a load would do. */
export interface PortfolioPlan extends PlanSummary {
  readonly files: ReadonlyArray<KnownFile>
  /** The portfolio that the files were compared with. */
  readonly before: PortfolioContent
}

/** A load's material: the rows, and where the images' bytes come from. */
export interface PortfolioMaterial {
  readonly draft: PortfolioDraft
  readonly read: ReadImageFile
  readonly report: Report
}

/** Why nothing can be planned. */
export type PlanFailure = PortfolioRefused | UploadRefused | Unavailable

/**
 * Checks a portfolio whole, rows and images, and compares it with the one there is. Changes nothing. PortfolioRefused names
 * every bad row at once (H1), UploadRefused a file beyond the bounds (H4).
 */
export const makePlanPortfolio =
  (ports: Pick<PortfolioPorts, 'portfolio' | 'portfolioImageChecker'>) =>
  (material: PortfolioMaterial): TE.TaskEither<PlanFailure, PortfolioPlan> => {
    const { draft } = material
    return pipe(
      TE.Do,
      TE.bind('images', (): TE.TaskEither<PlanFailure, ReadonlyArray<NamedImage>> => draft.images()),
      TE.bindW('before', () => ports.portfolio.content()),
      TE.flatMap(({ images, before }) =>
        pipe(
          checkFiles(ports, material, images, isStoredIn(before)),
          TE.map((checked) => ({ ...checked, before })),
        ),
      ),
      TE.tap(({ before, ...checked }) =>
        pipe(
          draft.check(resultsOf(checked), before),
          TE.flatMap(
            ([first, ...others]): TE.TaskEither<PlanFailure, void> =>
              first === undefined ? TE.right(undefined) : TE.left(portfolioRefused([first, ...others])),
          ),
        ),
      ),
      TE.bindW('summary', () => draft.compare()),
      TE.map(({ files, before, summary }) => ({ ...summary, files, before })),
    )
  }

type LoadPortfolioNeeds = 'portfolio' | 'portfolioImageChecker' | 'portfolioImages'

/** Stores an image from its file, which must still be what was checked. */
const store = (
  ports: Pick<PortfolioPorts, LoadPortfolioNeeds>,
  { read }: PortfolioMaterial,
  { use, image }: KnownFile,
  isStored: IsStored,
): TE.TaskEither<PlanFailure, void> =>
  pipe(
    checkFile(ports, read, use, isStored),
    TE.filterOrElse(
      (taken) => taken.image.name === image.name,
      (): FileRefused | Unavailable => fileRefused('has changed while it was read'),
    ),
    TE.mapError((failure): PlanFailure => {
      if (isUnavailable(failure)) return failure
      return portfolioRefused([{ ...use.use, field: use.kind, message: failure.message }])
    }),
    TE.flatMap(
      ({ checked }): TE.TaskEither<PlanFailure, void> => ports.portfolioImages.put(image, checked.bytes),
    ),
  )

const storeAll = (
  ports: Pick<PortfolioPorts, LoadPortfolioNeeds>,
  material: PortfolioMaterial,
  files: ReadonlyArray<KnownFile>,
  isStored: IsStored,
): TE.TaskEither<PlanFailure, void> =>
  pipe(
    files,
    TE.traverseSeqArrayWithIndex((at, file) => {
      material.report('storing', at, files.length)
      return store(ports, material, file, isStored)
    }),
    TE.map(() => undefined),
  )

/** Returns the paths of the images that are stored. */
export const storedPaths = (
  ports: Pick<PortfolioPorts, 'portfolioImages'>,
): TE.TaskEither<Unavailable, ReadonlySet<string>> =>
  attempt(async () => {
    const paths = new Set<string>()
    for await (const files of ports.portfolioImages.files())
      for (const { image } of files) paths.add(portfolioImagePath(image))
    return paths
  })

/**
 * Stores missing images again. A sweep that read the date of an old image just before it was stored again may have deleted it since. Later
 * sweeps spare it, because the portfolio references it. A sweep of another process that selected it before may still delete it; then it is
 * missing until the next load.
 */
const restoreMissing = (
  ports: Pick<PortfolioPorts, LoadPortfolioNeeds>,
  material: PortfolioMaterial,
  files: ReadonlyArray<KnownFile>,
  isStored: IsStored,
): TE.TaskEither<PlanFailure, void> =>
  pipe(
    storedPaths(ports),
    TE.flatMap((paths) =>
      storeAll(
        ports,
        material,
        files.filter(({ image }) => !paths.has(portfolioImagePath(image))),
        isStored,
      ),
    ),
  )

/** Stores the images of a plan, durably, and then has everything replaced at once. Gives the plan. */
export const carryOut =
  (ports: Pick<PortfolioPorts, LoadPortfolioNeeds>) =>
  <L>(
    material: PortfolioMaterial,
    plan: PortfolioPlan,
    replace: (
      portfolio: PortfolioPorts['portfolio'],
      content: PortfolioContent,
    ) => TE.TaskEither<L | Unavailable, void>,
  ): TE.TaskEither<PlanFailure | L, PortfolioPlan> => {
    const isStored = isStoredIn(plan.before)
    return pipe(
      storeAll(ports, material, plan.files, isStored),
      TE.flatMap(() => material.draft.content()),
      TE.mapLeft((failure): PlanFailure | L => failure),
      TE.tap((content) => replace(ports.portfolio, content)),
      TE.tap(() => restoreMissing(ports, material, plan.files, isStored)),
      TE.map(() => plan),
    )
  }

/**
 * Makes the portfolio that of the files (H1): checked whole first; then images are stored, durably; then everything is replaced
 * at once. It removes no image: what only the old portfolio showed, another load may be about to show again. The sweep takes it
 * when nothing shows it, and spares what was stored within the hour. A crash anywhere leaves the old portfolio or the new one,
 * whole. A table or a name that is absent stays as it is (H5): then the load fails with PortfolioChanged if another one was faster. Gives what was done.
 */
export const makeLoadPortfolio = (ports: Pick<PortfolioPorts, LoadPortfolioNeeds>) => {
  const plan = makePlanPortfolio(ports)
  return (
    material: PortfolioMaterial,
    by?: ActedBy,
  ): TE.TaskEither<PlanFailure | PortfolioChanged, PortfolioPlan> => {
    const act = by && ({ ...by, action: 'load-portfolio' } as const)
    return pipe(
      plan(material),
      TE.mapLeft((failure): PlanFailure | PortfolioChanged => failure),
      TE.flatMap((planned) =>
        carryOut(ports)<PortfolioChanged>(material, planned, (portfolio, content) =>
          planned.isWhole
            ? portfolio.replace(content, act)
            : portfolio.replaceReviewed({ before: planned.before, content }, act),
        ),
      ),
    )
  }
}
