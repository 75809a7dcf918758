/** The longest side of an image of a publication, in pixels, and the most bytes of any image (D1). */
const LONGEST_SIDE = 4096
const MOST_BYTES = 10 * 1024 * 1024

const JPEG_QUALITY = 0.9

/** Returns a canvas as a JPEG. Rejects if the browser cannot encode it. */
export const toJpeg = (canvas: HTMLCanvasElement): Promise<Blob> =>
  new Promise((resolve, reject) => {
    const done = (blob: Blob | null) => (blob === null ? reject(new TypeError('no image')) : resolve(blob))
    canvas.toBlob(done, 'image/jpeg', JPEG_QUALITY)
  })

const isAccepted = (file: Blob): boolean => ['image/jpeg', 'image/png'].includes(file.type)

/** Reads an image file, with its orientation applied. Rejects if it is none that the browser knows. */
export const readImage = (file: Blob): Promise<ImageBitmap> =>
  createImageBitmap(file, { imageOrientation: 'from-image' })

/** Returns an image that the server accepts: the file itself, or a smaller JPEG of it. */
export const fitImage = async (file: Blob): Promise<Blob> => {
  const image = await readImage(file)
  const scale = Math.min(1, LONGEST_SIDE / Math.max(image.width, image.height))
  if (scale === 1 && isAccepted(file) && file.size <= MOST_BYTES) return file
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(image.width * scale)
  canvas.height = Math.round(image.height * scale)
  const context = canvas.getContext('2d')
  // JPEG has no transparency.
  if (context !== null) {
    context.fillStyle = 'white'
    context.fillRect(0, 0, canvas.width, canvas.height)
    context.drawImage(image, 0, 0, canvas.width, canvas.height)
  }
  return toJpeg(canvas)
}
