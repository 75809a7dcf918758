// Finding items (J1 to J7). One process for all suites: starting one takes longer than most of them.
import './finding-authors.suite.ts'
import './finding-filters.suite.ts'
import './finding-pages.suite.ts'
import './finding-unchanged.suite.ts'
import './translations.suite.ts'
