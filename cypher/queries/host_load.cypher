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
       COUNT { MATCH (f:Fact)-[:ROUTED_TO]->(p) WHERE f.status = 'gold' } AS gold,
       COUNT { MATCH (f:Fact)-[:ROUTED_TO]->(p) WHERE f.status <> 'gold' } AS competing,
       COUNT { MATCH (:Insertion)-[:IN]->(p) } AS insertions
ORDER BY scope, item, passage
