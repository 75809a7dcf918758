// Parts without a server, and what the lists of routes and problems say. One process for all of it: starting one costs more than most of these suites.
import './interface.suite.ts'
import './openapi-document.suite.ts'
import './problems.suite.ts'
import './unit-item-cache.suite.ts'
import './unit-logged-error.suite.ts'
import './unit-openapi.suite.ts'
import './unit-problems.suite.ts'
import './unit-request.suite.ts'
