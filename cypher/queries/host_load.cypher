// What each passage holds: facts of gold, facts of competitors, insertions.
//
// param scope: string? - only the dataset loaded under this name
// param item: string? - only this item
// returns scope - name under which the dataset was loaded
// returns item - key of the item
// returns passage - number of the passage
// returns page_title - its title
// returns origin - support or distractor
// returns gold - number of gold facts routed there
// returns competing - number of competitors' facts routed there
// returns insertions - number of sentences added

MATCH (i:Item)-[:HAS_PASSAGE]->(p:Passage)
WHERE i.side = 'constructed'
  AND ($scope IS NULL OR i.scope = $scope)
  AND ($item IS NULL OR i.item = $item)
RETURN i.scope AS scope, i.item AS item, p.index AS passage, p.page_title AS page_title,
       p.origin AS origin,
       COUNT { MATCH (p)<-[:ROUTED_TO]-(f:Fact) WHERE f.status = 'gold' } AS gold,
       COUNT { MATCH (p)<-[:ROUTED_TO]-(f:Fact) WHERE f.status <> 'gold' } AS competing,
       COUNT { MATCH (p)<-[:IN]-(:Insertion) } AS insertions
ORDER BY scope, item, passage
