// The gold facts of each item, hop by hop.
//
// param scope: string? - only the dataset loaded under this name
// param item: string? - only this item
// returns scope - name under which the dataset was loaded
// returns item - key of the item
// returns hop - number of the step
// returns fact - node of the fact
// returns predicate - what it states
// returns subjects - names in its argument slots, by slot
// returns answer - the value, the answer of the hop

MATCH (i:Item)-[:HAS_PATH]->(p:Path)-[:CONTAINS]->(f:Fact)-[:OBJECT]->(v:Entity)
WHERE i.side = 'constructed'
  AND ($scope IS NULL OR i.scope = $scope)
  AND ($item IS NULL OR i.item = $item)
  AND p.path_kind = 'gold'
MATCH (f)-[s:SUBJECT]->(e:Entity)
WITH i, f, v, s, e
ORDER BY s.slot
WITH i.scope AS scope, i.item AS item, f.hop AS hop, f.node AS fact, f.predicate AS predicate,
     v.surface AS answer, collect(e.surface) AS subjects
RETURN scope, item, hop, fact, predicate, subjects, answer
ORDER BY scope, item, hop, fact
