// Strict paths whose near-miss shares a passage with their own continuation (H3).
//
// param scope: string? - only the dataset loaded under this name
// param item: string? - only this item
// returns scope - name under which the dataset was loaded
// returns item - key of the item
// returns path - node of the path
// returns near_miss - node of the fact that breaks
// returns continuation - node of the fact after it
// returns passage - number of the passage that both stand in

MATCH (i:Item)-[:HAS_PATH]->(p:Path)-[c:CONTAINS]->(f:Fact)
WHERE i.side = 'constructed'
  AND ($scope IS NULL OR i.scope = $scope)
  AND ($item IS NULL OR i.item = $item)
  AND p.path_kind = 'strict' AND NOT c.inherited
CALL {
  WITH f
  MATCH (f)-[:ROUTED_TO]->(host:Passage)
  RETURN host
  UNION
  WITH f
  MATCH (f)<-[:COMPOSES]-(:EvidenceUnit)-[:ROUTED_TO]->(host:Passage)
  RETURN host
}
WITH i, p, host,
     collect(DISTINCT CASE WHEN f.hop = p.protected_hop THEN f.node END) AS near,
     collect(DISTINCT CASE WHEN f.hop <> p.protected_hop THEN f.node END) AS after
UNWIND near AS near_miss
UNWIND after AS continuation
RETURN i.scope AS scope, i.item AS item, p.node AS path, near_miss, continuation,
       host.index AS passage
ORDER BY scope, item, path, near_miss, continuation, passage
