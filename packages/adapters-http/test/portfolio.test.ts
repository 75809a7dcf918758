// The portfolio. One process for all of it: starting one costs more than most of these suites.
import './portfolio-endpoints.suite.ts'
import './portfolio-parameters.suite.ts'
import './portfolio-walk.suite.ts'
