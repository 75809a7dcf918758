// Images in a folder, in one process.
import './folder-image-files.suite.ts'
import './folder-media-store.suite.ts'
import './folder-portfolio-images.suite.ts'
