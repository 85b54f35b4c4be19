// Complete paths to another answer than gold's.
// A path without a break would make its answer derivable, and break contract U1.
//
// param scope: string? - only the dataset loaded under this name
// param item: string? - only this item
// returns scope - name under which the dataset was loaded
// returns item - key of the item
// returns path - node of the path
// returns kind - strict or flexible
// returns protected_hop - the hop whose Drop it is there for
// returns answer - where it leads
// returns breaks - number of its facts that state another relation than the question asks for
// returns gold - the gold answer

MATCH (i:Item)-[:HAS_PATH]->(p:Path)
WHERE i.side = 'constructed'
  AND ($scope IS NULL OR i.scope = $scope)
  AND ($item IS NULL OR i.item = $item)
  AND p.path_kind <> 'gold' AND p.endpoint <> i.answer
MATCH (p)-[:CONTAINS]->(f:Fact)-[:REALIZES]->(h:Hop)
WITH i, p, COUNT { MATCH (i)-[:HAS_HOP]->(:Hop) } AS hops, count(DISTINCT h.index) AS held,
     sum(CASE WHEN f.predicate <> h.relation AND f.predicate <> h.required
              THEN 1 ELSE 0 END) AS breaks
WHERE held = hops
RETURN i.scope AS scope, i.item AS item, p.node AS path, p.path_kind AS kind,
       p.protected_hop AS protected_hop, p.endpoint AS answer, breaks, i.answer AS gold
ORDER BY scope, item, path
