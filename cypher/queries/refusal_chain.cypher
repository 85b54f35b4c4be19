// The chain of pages behind each refusal question, with the place of the defect.
//
// param scope: string? - only the dataset loaded under this name
// param item: string? - only this question
// returns scope - name under which the dataset was loaded
// returns item - key of the question
// returns cause - AU, FP or UC
// returns topology - root, middle or terminal
// returns position - place in the chain, from 1
// returns part - prefix, defect or suffix
// returns page_title - title of the page

MATCH (q:Refusal)-[s:STEP]->(p:Page)
WHERE ($scope IS NULL OR q.scope = $scope) AND ($item IS NULL OR q.item = $item)
RETURN q.scope AS scope, q.item AS item, q.cause AS cause, q.topology AS topology,
       s.order AS position, s.part AS part, p.page_title AS page_title
ORDER BY scope, item, position, page_title
