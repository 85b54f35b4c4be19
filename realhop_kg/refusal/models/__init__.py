"""Models in the places of the rules: annotation, ranking, fusion, review and surface audit."""
