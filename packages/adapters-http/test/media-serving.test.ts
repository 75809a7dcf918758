// Images: the corpus of uploads, and serving from a folder and from a bucket. One process for all of it: the store is started once.
import './media-corpus.suite.ts'
import './media-redirects.suite.ts'
import './media-same.suite.ts'
import './media-served.suite.ts'
import './media-troubled.suite.ts'
import './portfolio-images.suite.ts'
