// Passages in which gold facts and a competitor path's own facts stand together.
//
// param scope: string? - only the dataset loaded under this name
// param item: string? - only this item
// returns scope - name under which the dataset was loaded
// returns item - key of the item
// returns passage - number of the passage
// returns path - node of the competitor path
// returns gold - nodes of the gold facts there
// returns competing - nodes of the path's own facts there

MATCH (i:Item)-[:HAS_PATH]->(p:Path)-[c:CONTAINS]->(f:Fact)
WHERE i.side = 'constructed'
  AND ($scope IS NULL OR i.scope = $scope)
  AND ($item IS NULL OR i.item = $item)
  AND p.path_kind <> 'gold' AND NOT c.inherited
CALL {
  WITH f
  MATCH (f)-[:ROUTED_TO]->(host:Passage)
  RETURN host
  UNION
  WITH f
  MATCH (f)<-[:COMPOSES]-(:EvidenceUnit)-[:ROUTED_TO]->(host:Passage)
  RETURN host
}
WITH DISTINCT i, p, host, f.node AS own
ORDER BY own
WITH i, p, host, collect(own) AS competing
MATCH (i)-[:HAS_PATH]->(g:Path)-[:CONTAINS]->(f:Fact)
WHERE g.path_kind = 'gold'
  AND ((f)-[:ROUTED_TO]->(host) OR (f)<-[:COMPOSES]-(:EvidenceUnit)-[:ROUTED_TO]->(host))
WITH DISTINCT i, p, host, competing, f.node AS here
ORDER BY here
WITH i.scope AS scope, i.item AS item, host.index AS passage, p.node AS path, competing,
     collect(here) AS gold
RETURN scope, item, passage, path, gold, competing
ORDER BY scope, item, passage, path
