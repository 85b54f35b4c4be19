"""The relation catalogue and what its predicates entail."""
