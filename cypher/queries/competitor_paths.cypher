// The competitor paths of each item, hop by hop.
//
// param scope: string? - only the dataset loaded under this name
// param item: string? - only this item
// param kind: string? - only strict, or only flexible, paths
// returns scope - name under which the dataset was loaded
// returns item - key of the item
// returns path - node of the path
// returns kind - strict or flexible
// returns protected_hop - the hop whose Drop it is there for
// returns break_hop - where it leaves the question
// returns candidate - rank among the candidates of its kind and hop
// returns hop - number of the step
// returns fact - node of the fact
// returns predicate - what it states
// returns subjects - names in its argument slots, by slot
// returns answer - the value
// returns inherited - whether the fact is a gold fact that the path shares

MATCH (i:Item)-[:HAS_PATH]->(p:Path)-[c:CONTAINS]->(f:Fact)-[:OBJECT]->(v:Entity)
WHERE i.side = 'constructed'
  AND ($scope IS NULL OR i.scope = $scope)
  AND ($item IS NULL OR i.item = $item)
  AND p.path_kind <> 'gold'
  AND ($kind IS NULL OR p.path_kind = $kind)
MATCH (f)-[s:SUBJECT]->(e:Entity)
WITH i, p, c, f, v, s, e
ORDER BY s.slot
WITH i.scope AS scope, i.item AS item, p.node AS path, p.path_kind AS kind,
     p.protected_hop AS protected_hop, p.break_hop AS break_hop, p.candidate AS candidate,
     f.hop AS hop, f.node AS fact, f.predicate AS predicate, v.surface AS answer,
     c.inherited AS inherited, collect(e.surface) AS subjects
RETURN scope, item, path, kind, protected_hop, break_hop, candidate, hop, fact, predicate,
       subjects, answer, inherited
ORDER BY scope, item, path, hop, fact
