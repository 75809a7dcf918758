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

/** Bytes at the beginning of a file that show what it is. */
const HEAD = 64 * 1024

/** Whether a file is a JPEG, or a PNG that does not move, by its content (D7). */
const isStillImage = async (file: Blob): Promise<boolean> => {
  const bytes = new Uint8Array(await file.slice(0, HEAD).arrayBuffer())
  const head = new TextDecoder('latin1').decode(bytes)
  if (bytes[0] === 0xff) return bytes[1] === 0xd8
  return head.startsWith('PNG\r\n', 1) && !head.slice(0, head.indexOf('IDAT')).includes('acTL')
}

/**
 * Reads an image file, with its orientation applied. Resolves to undefined if the browser cannot read it, or it is not a still JPEG or PNG:
 * the service then names its fault, as to every caller.
 */
export const readImage = async (file: Blob): Promise<ImageBitmap | undefined> => {
  if (!(await isStillImage(file))) return undefined
  return createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => undefined)
}

/** Returns an image of a size that the server accepts: the file itself, or a smaller JPEG of it. */
export const fitImage = async (file: Blob, image: ImageBitmap): Promise<Blob> => {
  const scale = Math.min(1, LONGEST_SIDE / Math.max(image.width, image.height))
  if (scale === 1 && file.size <= MOST_BYTES) return file
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
