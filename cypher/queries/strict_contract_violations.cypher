// Strict paths that break contract S1, S2 or S3.
// S1: the only mismatch is at the protected hop. S2: R(h) is generated anew, no more, no less.
// S3: every other hop keeps gold's fact, and every slot what gold or the path itself binds.
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
  AND p.path_kind = 'strict'
OPTIONAL MATCH (i)-[:HAS_HOP]->(h:Hop)
WHERE h.index = p.protected_hop
OPTIONAL MATCH (later:Hop)-[:DEPENDS_ON*0..10]->(h)
WITH i, p, h, collect(DISTINCT later.index) AS anew
CALL {
  WITH i, p, h, anew
  MATCH (p)
  WHERE p.break_hop <> p.protected_hop
  RETURN 'S1' AS code, p.node AS node, 'breaks at another hop than it protects' AS says
  UNION ALL
  WITH i, p, h, anew
  MATCH (p)
  WHERE h IS NULL OR NOT (p)-[:PROTECTS]->(h) OR NOT (p)-[:BREAKS_AT]->(h)
     OR COUNT { MATCH (p)-[:PROTECTS]->(:Hop) } <> 1
     OR COUNT { MATCH (p)-[:BREAKS_AT]->(:Hop) } <> 1
  RETURN 'S1' AS code, p.node AS node, 'has other edges to hops than it names' AS says
  UNION ALL
  WITH i, p, h, anew
  MATCH (p)-[c:CONTAINS]->(f:Fact)-[:REALIZES]->(at:Hop)
  WHERE NOT c.inherited AND f.hop = p.break_hop
    AND (f.status <> 'break' OR f.predicate = at.relation)
  RETURN 'S1' AS code, f.node AS node, 'is to break, but does not' AS says
  UNION ALL
  WITH i, p, h, anew
  MATCH (p)-[c:CONTAINS]->(f:Fact)-[:REALIZES]->(at:Hop)
  WHERE NOT c.inherited AND f.hop <> p.break_hop
    AND (f.status <> 'continuation' OR f.predicate <> at.relation)
  RETURN 'S1' AS code, f.node AS node, 'is to continue, but states another relation' AS says
  UNION ALL
  WITH i, p, h, anew
  OPTIONAL MATCH (p)-[c:CONTAINS]->(f:Fact)
  WHERE NOT c.inherited
  WITH p, anew, collect(f.hop) AS own
  WHERE size(own) <> size(anew) OR any(x IN own WHERE NOT x IN anew)
     OR any(x IN anew WHERE NOT x IN own)
  RETURN 'S2' AS code, p.node AS node, 'does not have one own fact for each hop of R(h)' AS says
  UNION ALL
  WITH i, p, h, anew
  MATCH (i)-[:HAS_HOP]->(other:Hop)<-[:REALIZES]-(gold:Fact)
  WHERE NOT other.index IN anew AND gold.status = 'gold'
    AND NOT EXISTS { MATCH (p)-[c:CONTAINS]->(gold) WHERE c.inherited }
  RETURN 'S3' AS code, gold.node AS node, 'is a gold fact that the path does not keep' AS says
  UNION ALL
  WITH i, p, h, anew
  MATCH (p)-[c:CONTAINS]->(f:Fact)
  WHERE c.inherited AND (f.status <> 'gold' OR f.hop IN anew)
  RETURN 'S3' AS code, f.node AS node, 'is inherited, but no gold fact outside R(h)' AS says
  UNION ALL
  WITH i, p, h, anew
  MATCH (p)-[c:CONTAINS]->(f:Fact)-[s:SUBJECT]->(e:Entity)
  WHERE NOT c.inherited
  MATCH (f)-[:REALIZES]->(at:Hop)<-[:REALIZES]-(gold:Fact)-[t:SUBJECT]->(bound:Entity)
  WHERE gold.status = 'gold' AND t.slot = s.slot
  OPTIONAL MATCH (at)-[d:DEPENDS_ON]->(earlier:Hop)
  WHERE d.slot = s.slot AND earlier.index IN anew
  OPTIONAL MATCH (p)-[k:CONTAINS]->(before:Fact)-[:OBJECT]->(own:Entity)
  WHERE NOT k.inherited AND before.hop = earlier.index
  WITH f, e, CASE WHEN earlier IS NULL THEN bound.node ELSE own.node END AS wanted
  WHERE e.node <> wanted
  RETURN 'S3' AS code, f.node AS node, 'has a slot that neither gold nor the path binds so' AS says
}
RETURN i.scope AS scope, i.item AS item, code, p.node AS path, node, says
ORDER BY scope, item, path, code, node, says
