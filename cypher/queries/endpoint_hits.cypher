// Answers, not judged correct, that equal a planned endpoint, with the path that leads there.
// Needs the trials of an audit.
//
// param scope: string? - only the dataset loaded under this name
// param item: string? - only this item
// param condition: string? - only answers under this condition (full, drop)
// param model: string? - only answers of this model
// returns scope - name under which the dataset was loaded
// returns item - key of the item
// returns model - who answered
// returns condition - under which condition
// returns target - node of the hop that was dropped, or empty
// returns trial - number of the trial
// returns response - the answer
// returns path - node of the competitor path
// returns kind - strict or flexible
// returns protected_hop - the hop whose Drop it is there for

MATCH (t:Trial)-[:ANSWERS]->(i:Item)
WHERE i.side = 'constructed'
  AND ($scope IS NULL OR i.scope = $scope)
  AND ($item IS NULL OR i.item = $item)
  AND ($condition IS NULL OR t.condition = $condition)
  AND ($model IS NULL OR t.model = $model)
  AND t.verdict <> 'correct'
MATCH (t)-[:HITS]->(e:Entity)<-[:OBJECT]-(f:Fact)<-[c:CONTAINS]-(p:Path)
WHERE NOT c.inherited AND p.path_kind <> 'gold' AND p.endpoint = e.surface
RETURN i.scope AS scope, i.item AS item, t.model AS model, t.condition AS condition,
       t.target AS target, t.trial AS trial, t.response AS response, p.node AS path,
       p.path_kind AS kind, p.protected_hop AS protected_hop
ORDER BY scope, item, model, condition, target, trial, path
