// Where the gold evidence of a hop is written, span by span.
//
// param scope: string? - only the dataset loaded under this name
// param item: string? - only this item
// param hop: integer? - only this hop
// returns scope - name under which the dataset was loaded
// returns item - key of the item
// returns hop - number of the step
// returns part - node of the fact or premise
// returns predicate - what it states
// returns passage - number of the passage
// returns page_title - its title
// returns start - first code point in the realized text
// returns end - one past the last
// returns exact - the text

MATCH (i:Item)-[:HAS_HOP]->(h:Hop)<-[:REALIZES]-(f:Fact)
WHERE i.side = 'constructed'
  AND ($scope IS NULL OR i.scope = $scope)
  AND ($item IS NULL OR i.item = $item)
  AND ($hop IS NULL OR h.index = $hop)
  AND f.status = 'gold'
CALL {
  WITH f
  MATCH (f)-[:WRITTEN_AT]->(s:Span)
  RETURN f.node AS part, f.predicate AS predicate, s
  UNION ALL
  WITH f
  MATCH (f)<-[:COMPOSES]-(u:EvidenceUnit)-[:WRITTEN_AT]->(s:Span)
  RETURN u.node AS part, u.predicate AS predicate, s
}
MATCH (i)-[:HAS_PASSAGE]->(p:Passage)
WHERE p.index = s.passage
RETURN i.scope AS scope, i.item AS item, h.index AS hop, part, predicate, p.index AS passage,
       p.page_title AS page_title, s.start AS start, s.`end` AS `end`, s.exact AS exact
ORDER BY scope, item, hop, passage, start, part
