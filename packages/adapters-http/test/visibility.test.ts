// Visibility, and responses to random commands. One process for all suites: starting one takes longer than most of them.
import './model.suite.ts'
import './visibility-http.suite.ts'
import './visibility-stores.suite.ts'
