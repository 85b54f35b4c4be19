// R(h): the hop and its descendants, which a Strict path of the hop generates anew.
// Paths of up to ten dependencies are followed.
//
// param scope: string? - only the dataset loaded under this name
// param item: string? - only this item
// param hop: integer? - only this hop
// returns scope - name under which the dataset was loaded
// returns item - key of the item
// returns hop - number of the step
// returns regenerated - numbers of the hops in R(h)

MATCH (i:Item)-[:HAS_HOP]->(h:Hop)
WHERE i.side = 'constructed'
  AND ($scope IS NULL OR i.scope = $scope)
  AND ($item IS NULL OR i.item = $item)
  AND ($hop IS NULL OR h.index = $hop)
MATCH (later:Hop)-[:DEPENDS_ON*0..10]->(h)
WITH DISTINCT i, h, later
ORDER BY later.index
WITH i.scope AS scope, i.item AS item, h.index AS hop, collect(later.index) AS regenerated
RETURN scope, item, hop, regenerated
ORDER BY scope, item, hop
