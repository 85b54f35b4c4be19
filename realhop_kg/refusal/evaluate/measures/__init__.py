"""Measures of refusal runs, one family a file; all are pure functions of `Outcome` records."""
