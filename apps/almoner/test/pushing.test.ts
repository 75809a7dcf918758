// Servers that push. One process for both suites, which load the same code.
import './push-serve.suite.ts'
import './review-serve.suite.ts'
