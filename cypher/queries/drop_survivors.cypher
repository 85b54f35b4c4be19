// Questions that a model still answers correctly without the evidence of a hop.
// Only those that it answered correctly under full. Needs the trials of an audit.
//
// param scope: string? - only the dataset loaded under this name
// param item: string? - only this item
// param model: string? - only answers of this model
// param side: string = constructed - constructed or source
// returns scope - name under which the dataset was loaded
// returns item - key of the item
// returns model - who answered
// returns trial - number of the trial
// returns hop - number of the hop whose evidence was deleted
// returns response - the answer

MATCH (d:Trial)-[:ANSWERS]->(i:Item)<-[:ANSWERS]-(t:Trial)
WHERE i.side = $side
  AND ($scope IS NULL OR i.scope = $scope)
  AND ($item IS NULL OR i.item = $item)
  AND ($model IS NULL OR d.model = $model)
  AND d.condition = 'drop' AND d.verdict = 'correct'
  AND t.condition = 'full' AND t.verdict = 'correct'
  AND t.model = d.model AND t.trial = d.trial
MATCH (i)-[:HAS_HOP]->(h:Hop)
WHERE h.node = d.target
RETURN i.scope AS scope, i.item AS item, d.model AS model, d.trial AS trial, h.index AS hop,
       d.response AS response
ORDER BY scope, item, model, trial, hop
