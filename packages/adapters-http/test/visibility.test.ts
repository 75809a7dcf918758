// Who sees what. One process for all of it: starting one costs more than most of these suites.
import './visibility-http.suite.ts'
import './visibility-stores.suite.ts'
