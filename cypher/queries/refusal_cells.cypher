// How many refusal questions there are by cause, topology and depth.
//
// param scope: string? - only the dataset loaded under this name
// returns scope - name under which the dataset was loaded
// returns cause - AU, FP or UC
// returns topology - root, middle or terminal
// returns depth - length of the chain, the unanswerable step included
// returns questions - number of questions

MATCH (q:Refusal)
WHERE ($scope IS NULL OR q.scope = $scope)
RETURN q.scope AS scope, q.cause AS cause, q.topology AS topology, q.depth AS depth,
       count(q) AS questions
ORDER BY scope, cause, topology, depth
