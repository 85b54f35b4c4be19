"""One module per measure, each a pure function over the scores of trials."""
