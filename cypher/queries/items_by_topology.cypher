// How many items have which shape of dependencies.
//
// param scope: string? - only the dataset loaded under this name
// returns scope - name under which the dataset was loaded
// returns topology - 2hop, 3hop1, ..., diamond or dag
// returns items - number of items
// returns hops - number of their hops

MATCH (i:Item)
WHERE i.side = 'constructed' AND ($scope IS NULL OR i.scope = $scope)
OPTIONAL MATCH (i)-[:HAS_HOP]->(h:Hop)
RETURN i.scope AS scope, i.topology AS topology, count(DISTINCT i) AS items, count(h) AS hops
ORDER BY scope, topology
