// What every request has in common. One process for all of it: starting one costs more than most of these suites.
import './requests-bytes.suite.ts'
import './requests-encodings.suite.ts'
import './requests-parameters.suite.ts'
import './requests-paths.suite.ts'
import './requests-values.suite.ts'
