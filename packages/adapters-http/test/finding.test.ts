// Finding items (J1 to J6). One process for all suites: starting one takes longer than most of them.
import './finding-filters.suite.ts'
import './finding-pages.suite.ts'
import './finding-unchanged.suite.ts'
