// What is planned and not written, or written and not planned (T2).
//
// param scope: string? - only the dataset loaded under this name
// param item: string? - only this item
// returns scope - name under which the dataset was loaded
// returns item - key of the item
// returns node - node of the fact, premise or span
// returns says - what is wrong

MATCH (i:Item)
WHERE i.side = 'constructed'
  AND ($scope IS NULL OR i.scope = $scope)
  AND ($item IS NULL OR i.item = $item)
CALL {
  WITH i
  MATCH (i)-[:HAS_HOP]->(:Hop)<-[:REALIZES]-(f:Fact)
  WHERE NOT (f)-[:WRITTEN_AT]->(:Span) AND NOT (f)<-[:COMPOSES]-(:EvidenceUnit)
  RETURN f.node AS node, 'is a fact that is written nowhere' AS says
  UNION ALL
  WITH i
  MATCH (i)-[:HAS_HOP]->(:Hop)<-[:REALIZES]-(:Fact)<-[:COMPOSES]-(u:EvidenceUnit)
  WHERE NOT (u)-[:WRITTEN_AT]->(:Span)
  RETURN u.node AS node, 'is a premise that is written nowhere' AS says
  UNION ALL
  WITH i
  MATCH (s:Span)
  WHERE s.gid = i.gid AND NOT (s)<-[:WRITTEN_AT]-()
  RETURN s.node AS node, 'is a span of no fact or premise' AS says
  UNION ALL
  WITH i
  MATCH (s:Span)
  WHERE s.gid = i.gid AND NOT (s)-[:IN]->(:Insertion)-[:IN]->(:Passage)
  RETURN s.node AS node, 'is a span outside every insertion' AS says
  UNION ALL
  WITH i
  MATCH (s:Span)-[:IN]->(n:Insertion)
  WHERE s.gid = i.gid AND (s.`end` <= s.start OR NOT n.text CONTAINS s.exact)
  RETURN s.node AS node, 'is a span that does not read what its insertion says' AS says
}
RETURN i.scope AS scope, i.item AS item, node, says
ORDER BY scope, item, node, says
