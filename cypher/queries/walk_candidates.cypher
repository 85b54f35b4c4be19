// The pages to which a walk may go from a page: linked in the opening paragraphs, not visited, of a
// degree within bounds.
//
// param scope: string - name under which the pages were loaded
// param page: string - title of the page
// param direction: string = forward - along its links, or backward along those that lead to it
// param visited: strings = [] - titles of the pages that the walk has been to
// param min_degree: integer = 10 - smallest degree
// param max_degree: integer = 200 - largest degree
// returns page_title - title of the candidate
// returns degree - its number of links
// returns sentence - the sentence that holds the link

CALL {
  MATCH (p:Page)-[l:LINKS_TO]->(c:Page)
  WHERE $direction = 'forward' AND p.page_title = $page AND p.scope = $scope AND l.lead
  RETURN c, l.sentence AS sentence
  UNION ALL
  MATCH (c:Page)-[l:LINKS_TO]->(p:Page)
  WHERE $direction = 'backward' AND p.page_title = $page AND p.scope = $scope AND l.lead
  RETURN c, l.sentence AS sentence
}
WITH c, sentence
WHERE c.page_title <> $page AND NOT c.page_title IN $visited
  AND $min_degree <= c.degree AND c.degree <= $max_degree
RETURN c.page_title AS page_title, c.degree AS degree, sentence
ORDER BY page_title, sentence
