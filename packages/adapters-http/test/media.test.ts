// Uploading images. One process for all of it: starting one costs more than most of these suites.
import './media-forms.suite.ts'
import './media-links.suite.ts'
import './media-rights.suite.ts'
import './media-orphans.suite.ts'
import './media-abort.suite.ts'
import './media-anonymous.suite.ts'
