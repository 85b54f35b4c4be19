// Flexible paths that break contract F1 or F3.
// F1: the break is at the protected hop, or after it where the question leaves that hop open, and
// the other hops keep gold's facts. F3: the protected support is forbidden to path and facts.
//
// param scope: string? - only the dataset loaded under this name
// param item: string? - only this item
// returns scope - name under which the dataset was loaded
// returns item - key of the item
// returns code - the contract
// returns path - node of the path
// returns node - the node concerned
// returns says - what is wrong

MATCH (i:Item)-[:HAS_PATH]->(p:Path)
WHERE i.side = 'constructed'
  AND ($scope IS NULL OR i.scope = $scope)
  AND ($item IS NULL OR i.item = $item)
  AND p.path_kind = 'flexible'
OPTIONAL MATCH (i)-[:HAS_HOP]->(h:Hop)
WHERE h.index = p.protected_hop
OPTIONAL MATCH (later:Hop)-[:DEPENDS_ON*0..10]->(h)
WITH i, p, h, collect(DISTINCT later.index) AS anew
CALL {
  WITH i, p, h, anew
  MATCH (p)
  WHERE h IS NULL OR NOT p.break_hop IN anew
     OR (p.break_hop <> p.protected_hop AND (NOT h.multi_valued OR h.definite))
  RETURN 'F1' AS code, p.node AS node, 'breaks where it may not' AS says
  UNION ALL
  WITH i, p, h, anew
  MATCH (p)
  WHERE COUNT { MATCH (p)-[:PROTECTS]->(x:Hop) WHERE x.index = p.protected_hop } <> 1
     OR COUNT { MATCH (p)-[:BREAKS_AT]->(x:Hop) WHERE x.index = p.break_hop } <> 1
  RETURN 'F1' AS code, p.node AS node, 'has other edges to hops than it names' AS says
  UNION ALL
  WITH i, p, h, anew
  MATCH (p)-[c:CONTAINS]->(f:Fact)-[:REALIZES]->(at:Hop)
  WHERE NOT c.inherited
    AND ((f.hop = p.break_hop AND (f.status <> 'break' OR f.predicate = at.relation))
      OR (f.hop <> p.break_hop
          AND (f.status <> 'continuation' OR f.predicate <> at.relation))
      OR NOT f.hop IN anew)
  RETURN 'F1' AS code, f.node AS node, 'neither breaks nor continues where it should' AS says
  UNION ALL
  WITH i, p, h, anew
  MATCH (i)-[:HAS_HOP]->(other:Hop)<-[:REALIZES]-(gold:Fact)
  WHERE NOT other.index IN anew AND gold.status = 'gold'
    AND NOT EXISTS { MATCH (p)-[c:CONTAINS]->(gold) WHERE c.inherited }
  RETURN 'F1' AS code, gold.node AS node, 'is a gold fact that the path does not keep' AS says
  UNION ALL
  WITH i, p, h, anew
  MATCH (i)-[:HAS_PASSAGE]->(support:Passage)
  WHERE support.index = h.support AND NOT (p)-[:FORBIDS]->(support)
  RETURN 'F3' AS code, p.node AS node, 'may go to the support of the hop it protects' AS says
  UNION ALL
  WITH i, p, h, anew
  MATCH (i)-[:HAS_PASSAGE]->(support:Passage)
  WHERE support.index = h.support
  MATCH (p)-[c:CONTAINS]->(f:Fact)
  WHERE NOT c.inherited AND NOT (f)-[:FORBIDS]->(support)
  RETURN 'F3' AS code, f.node AS node, 'may go to the support of the hop it protects' AS says
}
RETURN i.scope AS scope, i.item AS item, code, p.node AS path, node, says
ORDER BY scope, item, path, code, node, says
