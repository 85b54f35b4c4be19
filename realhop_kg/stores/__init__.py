"""Graph stores: the same graphs, queries and rows in Neo4j, in an embedded engine, and as RDF."""
