"""The typed graph: schema, wrapper, operators and derivation."""
