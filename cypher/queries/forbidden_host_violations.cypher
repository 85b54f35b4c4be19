// Facts and premises that stand in a passage which is forbidden to them or their path (H2).
//
// param scope: string? - only the dataset loaded under this name
// param item: string? - only this item
// returns scope - name under which the dataset was loaded
// returns item - key of the item
// returns path - node of the path
// returns fact - node of the fact
// returns part - the fact or its premise that stands there
// returns passage - number of the passage

MATCH (i:Item)-[:HAS_PATH]->(p:Path)-[c:CONTAINS]->(f:Fact)
WHERE i.side = 'constructed'
  AND ($scope IS NULL OR i.scope = $scope)
  AND ($item IS NULL OR i.item = $item)
  AND NOT c.inherited
CALL {
  WITH f
  MATCH (f)-[:ROUTED_TO]->(host:Passage)
  RETURN f.node AS part, host
  UNION ALL
  WITH f
  MATCH (f)<-[:COMPOSES]-(u:EvidenceUnit)-[:ROUTED_TO]->(host:Passage)
  RETURN u.node AS part, host
}
WITH i, p, f, part, host
WHERE (p)-[:FORBIDS]->(host) OR (f)-[:FORBIDS]->(host)
RETURN i.scope AS scope, i.item AS item, p.node AS path, f.node AS fact, part,
       host.index AS passage
ORDER BY scope, item, path, fact, part, passage
