// Gold beside each competitor path, hop by hop: where they part, and what is shared.
// A Flexible path that pruning left incomplete has hops that are missing.
//
// param scope: string? - only the dataset loaded under this name
// param item: string? - only this item
// param kind: string? - only strict, or only flexible, paths
// returns scope - name under which the dataset was loaded
// returns item - key of the item
// returns path - node of the competitor path
// returns kind - strict or flexible
// returns hop - number of the step
// returns gold_predicate - what gold states there
// returns gold_answer - its value
// returns predicate - what the competitor states there; null where it is missing
// returns answer - its value; null where it is missing
// returns difference - shared, break, continuation or missing

MATCH (i:Item)-[:HAS_PATH]->(g:Path)-[:CONTAINS]->(gf:Fact)-[:OBJECT]->(gv:Entity)
WHERE i.side = 'constructed'
  AND ($scope IS NULL OR i.scope = $scope)
  AND ($item IS NULL OR i.item = $item)
  AND g.path_kind = 'gold'
MATCH (i)-[:HAS_PATH]->(p:Path)
WHERE p.path_kind <> 'gold'
  AND ($kind IS NULL OR p.path_kind = $kind)
OPTIONAL MATCH (p)-[c:CONTAINS]->(f:Fact)-[:OBJECT]->(v:Entity)
WHERE f.hop = gf.hop
RETURN i.scope AS scope, i.item AS item, p.node AS path, p.path_kind AS kind, gf.hop AS hop,
       gf.predicate AS gold_predicate, gv.surface AS gold_answer, f.predicate AS predicate,
       v.surface AS answer,
       CASE WHEN f IS NULL THEN 'missing'
            WHEN c.inherited THEN 'shared'
            ELSE f.status END AS difference
ORDER BY scope, item, path, hop, answer
