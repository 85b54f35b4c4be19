// Hops without a complete Strict path (contract S6).
// Complete: own facts for exactly the hops of R(h), all of them written, and gold for the others.
//
// param scope: string? - only the dataset loaded under this name
// param item: string? - only this item
// returns scope - name under which the dataset was loaded
// returns item - key of the item
// returns hop - number of the step
// returns incomplete - nodes of its Strict paths, none of which is complete

MATCH (i:Item)-[:HAS_HOP]->(h:Hop)
WHERE i.side = 'constructed'
  AND ($scope IS NULL OR i.scope = $scope)
  AND ($item IS NULL OR i.item = $item)
MATCH (later:Hop)-[:DEPENDS_ON*0..10]->(h)
WITH i, h, collect(DISTINCT later.index) AS anew, COUNT { MATCH (i)-[:HAS_HOP]->(:Hop) } AS hops
OPTIONAL MATCH (i)-[:HAS_PATH]->(p:Path)
WHERE p.path_kind = 'strict' AND p.protected_hop = h.index
OPTIONAL MATCH (p)-[c:CONTAINS]->(f:Fact)
WITH i, h, anew, hops, p,
     collect(DISTINCT CASE WHEN NOT c.inherited THEN f.hop END) AS own,
     collect(DISTINCT CASE WHEN c.inherited AND f.status = 'gold' THEN f.hop END) AS kept,
     sum(CASE WHEN c IS NULL OR c.inherited THEN 0
              WHEN EXISTS { MATCH (u:EvidenceUnit)-[:COMPOSES]->(f)
                            WHERE NOT (u)-[:WRITTEN_AT]->(:Span) } THEN 1
              WHEN EXISTS { MATCH (u:EvidenceUnit)-[:COMPOSES]->(f) } THEN 0
              WHEN NOT (f)-[:WRITTEN_AT]->(:Span) THEN 1
              ELSE 0 END) AS unwritten
WITH i, h, p,
     p IS NOT NULL AND unwritten = 0
     AND all(x IN anew WHERE x IN own) AND all(x IN own WHERE x IN anew)
     AND size(kept) = hops - size(anew) AND none(x IN kept WHERE x IN anew) AS complete
ORDER BY p.node
WITH i.scope AS scope, i.item AS item, h.index AS hop,
     sum(CASE WHEN complete THEN 1 ELSE 0 END) AS complete, collect(p.node) AS incomplete
WHERE complete = 0
RETURN scope, item, hop, incomplete
ORDER BY scope, item, hop
