"""What was luck and what was skill in a match: reviews by the best evaluator there is."""
