// Writing items, and their labels. One process for all of it: starting one costs more than most of these suites.
import './feed-publish.suite.ts'
import './library-create.suite.ts'
import './library-embargo.suite.ts'
import './library-transitions.suite.ts'
import './library-publish.suite.ts'
import './library-shapes.suite.ts'
import './labels.suite.ts'
import './history.suite.ts'
