// Which virtual entity stands for which source entity.
//
// param scope: string? - only the dataset loaded under this name
// param item: string? - only this item
// returns scope - name under which the dataset was loaded
// returns item - key of the item
// returns source - name in the source question
// returns virtual - name in its place
// returns entity_type - type of both
// returns role - what it does in the item

MATCH (i:Item)
WHERE i.side = 'constructed'
  AND ($scope IS NULL OR i.scope = $scope)
  AND ($item IS NULL OR i.item = $item)
MATCH (e:Entity)-[:REBINDS]->(s:Entity)
WHERE e.gid = i.gid
RETURN i.scope AS scope, i.item AS item, s.surface AS source, e.surface AS virtual,
       e.entity_type AS entity_type, e.role AS role
ORDER BY scope, item, role, source, virtual
