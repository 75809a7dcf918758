// Finding items (J1 to J7) and the portfolio. One process: starting one costs more than most suites.
import './finding-authors.suite.ts'
import './finding-filters.suite.ts'
import './finding-pages.suite.ts'
import './finding-unchanged.suite.ts'
import './translations.suite.ts'
import './portfolio-endpoints.suite.ts'
import './portfolio-parameters.suite.ts'
import './portfolio-walk.suite.ts'
