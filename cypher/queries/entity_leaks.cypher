// Virtual names where they may not stand: in the original text or titles (R3), and in the question
// those that it may not name (R4). Names are compared without case, as whole words, in their full
// form; the checks of `realhop verify` know other forms and ways to write a value too.
//
// param scope: string? - only the dataset loaded under this name
// param item: string? - only this item
// returns scope - name under which the dataset was loaded
// returns item - key of the item
// returns code - the contract
// returns entity - node of the entity
// returns surface - its name
// returns place - where the name stands: question, or number of the passage

MATCH (i:Item)
WHERE i.side = 'constructed'
  AND ($scope IS NULL OR i.scope = $scope)
  AND ($item IS NULL OR i.item = $item)
CALL {
  WITH i
  MATCH (i)-[:HAS_PASSAGE]->(p:Passage)
  RETURN 'R3' AS code, toString(p.index) AS place,
         toLower(p.page_title + ' | ' + p.text) AS text
  UNION ALL
  WITH i
  MATCH (i)
  RETURN 'R4' AS code, 'question' AS place, toLower(i.question) AS text
}
WITH i, collect({code: code, place: place, text: text}) AS texts
MATCH (e:Entity)
WHERE e.gid = i.gid AND e.origin = 'virtual'
WITH i, texts, e, toLower(e.surface) AS name
UNWIND texts AS one
WITH i, e, name, one.code AS code, one.place AS place, one.text AS text
WHERE name <> '' AND text CONTAINS name AND (code = 'R3' OR e.role <> 'question')
WITH i, e, code, place, split(text, name) AS pieces, left(name, 1) AS first,
     right(name, 1) AS last, ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'] AS digits
UNWIND range(0, size(pieces) - 2) AS cut
WITH i, e, code, place, first, last, digits,
     right(pieces[cut], 1) AS before, left(right(pieces[cut], 2), 1) AS further,
     left(pieces[cut + 1], 1) AS after, right(left(pieces[cut + 1], 2), 1) AS beyond
// No letter or digit may touch the name, and a number may be no part of a longer one (1,234).
WHERE toLower(before) = toUpper(before) AND NOT before IN digits
  AND toLower(after) = toUpper(after) AND NOT after IN digits
  AND NOT (first IN digits AND before IN ['.', ','] AND further IN digits)
  AND NOT (last IN digits AND after IN ['.', ','] AND beyond IN digits)
WITH DISTINCT i, e, code, place
RETURN i.scope AS scope, i.item AS item, code, e.node AS entity, e.surface AS surface, place
ORDER BY scope, item, code, entity, place
