// Competitor paths that are still complete after the Drop of a hop.
// Drop(h) removes every passage that hosts the gold fact of h or a premise of it.
//
// param scope: string? - only the dataset loaded under this name
// param item: string? - only this item
// param hop: integer? - only the Drop of this hop
// returns scope - name under which the dataset was loaded
// returns item - key of the item
// returns hop - the hop that is dropped
// returns survivors - nodes of the complete paths
// returns answers - where they lead, in the same order

MATCH (i:Item)-[:HAS_HOP]->(h:Hop)<-[:REALIZES]-(gold:Fact)
WHERE i.side = 'constructed'
  AND ($scope IS NULL OR i.scope = $scope)
  AND ($item IS NULL OR i.item = $item)
  AND ($hop IS NULL OR h.index = $hop)
  AND gold.status = 'gold'
CALL {
  WITH gold
  MATCH (gold)-[:ROUTED_TO]->(host:Passage)
  RETURN host
  UNION
  WITH gold
  MATCH (gold)<-[:COMPOSES]-(:EvidenceUnit)-[:ROUTED_TO]->(host:Passage)
  RETURN host
}
WITH i, h, collect(host.index) AS dropped, COUNT { MATCH (i)-[:HAS_HOP]->(:Hop) } AS hops
OPTIONAL MATCH (i)-[:HAS_PATH]->(p:Path)
WHERE p.path_kind <> 'gold'
OPTIONAL MATCH (p)-[:CONTAINS]->(f:Fact)
WHERE NOT EXISTS { MATCH (f)-[:ROUTED_TO]->(host:Passage) WHERE host.index IN dropped }
  AND NOT EXISTS { MATCH (f)<-[:COMPOSES]-(:EvidenceUnit)-[:ROUTED_TO]->(host:Passage)
                   WHERE host.index IN dropped }
WITH i, h, p, hops, count(DISTINCT f.hop) AS left
ORDER BY p.node
WITH i.scope AS scope, i.item AS item, h.index AS hop,
     collect(CASE WHEN left = hops THEN p.node END) AS survivors,
     collect(CASE WHEN left = hops THEN p.endpoint END) AS answers
RETURN scope, item, hop, survivors, answers
ORDER BY scope, item, hop
