// The portfolio and its loading. One process for all of it: starting one costs as much as these suites.
import './demo-portfolio.suite.ts'
import './portfolio-faults.suite.ts'
import './portfolio-load.suite.ts'
