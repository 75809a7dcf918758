// Who sees what, and what the service answers whatever is done. One process for all of it: starting one costs more than most of these suites.
import './model.suite.ts'
import './visibility-http.suite.ts'
import './visibility-stores.suite.ts'
