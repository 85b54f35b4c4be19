// How often the loss of a hop's evidence makes a model fail, by number of the hop.
// Items answered correctly under full and with a complete set of Drops, per trial; correct means
// the verdict `correct` alone. Needs the trials of an audit.
//
// param scope: string? - only the dataset loaded under this name
// param model: string? - only answers of this model
// param side: string = constructed - constructed or source
// returns scope - name under which the dataset was loaded
// returns model - who answered
// returns trial - number of the trial
// returns hop - number of the step
// returns items - number of items
// returns failed - of these, without a correct answer after the Drop of the hop
// returns rate - failed / items

MATCH (t:Trial)-[:ANSWERS]->(i:Item)
WHERE i.side = $side
  AND ($scope IS NULL OR i.scope = $scope)
  AND ($model IS NULL OR t.model = $model)
  AND t.condition = 'full' AND t.verdict = 'correct'
MATCH (i)-[:HAS_HOP]->(h:Hop)
OPTIONAL MATCH (d:Trial)-[:ANSWERS]->(i)
WHERE d.condition = 'drop' AND d.target = h.node AND d.model = t.model AND d.trial = t.trial
WITH i, t, h, count(d) AS drops,
     sum(CASE WHEN d.verdict = 'correct' THEN 1 ELSE 0 END) AS kept
WITH i, t, collect({hop: h.index, drops: drops, kept: kept}) AS panel
WHERE all(one IN panel WHERE one.drops > 0)
UNWIND panel AS one
WITH i.scope AS scope, t.model AS model, t.trial AS trial, one.hop AS hop, count(*) AS items,
     sum(CASE WHEN one.kept = 0 THEN 1 ELSE 0 END) AS failed
RETURN scope, model, trial, hop, items, failed, toFloat(failed) / items AS rate
ORDER BY scope, model, trial, hop
