import { type OutputChunk, rolldown } from 'rolldown'

/** A script bundled for browsers with its imports, and the warnings of the bundler. */
export const bundleForBrowsers = async (
  script: string,
): Promise<{ readonly chunk: OutputChunk; readonly complaints: ReadonlyArray<string> }> => {
  const complaints: Array<string> = []
  const bundle = await rolldown({
    input: script,
    platform: 'browser',
    onLog: (_, { message }) => complaints.push(message),
  })
  const { output } = await bundle.generate({ format: 'esm', minify: true, codeSplitting: false })
  await bundle.close()
  return { chunk: output[0], complaints }
}
