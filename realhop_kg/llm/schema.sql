-- The reply store. A text is kept once, whatever number of requests holds it.
CREATE TABLE texts (
  digest TEXT PRIMARY KEY,
  body BLOB NOT NULL          -- zlib of UTF-8
) WITHOUT ROWID;

CREATE TABLE requests (
  key TEXT PRIMARY KEY,
  model TEXT NOT NULL,
  messages TEXT NOT NULL,     -- JSON: [[role, digest of the text], ...]
  parameters TEXT NOT NULL,   -- JSON
  template TEXT NOT NULL,
  template_hash TEXT NOT NULL,
  trial INTEGER NOT NULL,
  stage TEXT NOT NULL,
  item TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE replies (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL REFERENCES requests (key),
  status TEXT NOT NULL,
  text BLOB NOT NULL,         -- zlib of UTF-8, as a lone surrogate is no SQL text
  finish_reason TEXT NOT NULL,
  model TEXT NOT NULL,
  prompt_tokens INTEGER,
  completion_tokens INTEGER,
  cost REAL,
  latency REAL NOT NULL,
  attempts TEXT NOT NULL,     -- JSON
  source TEXT NOT NULL,
  raw BLOB NOT NULL,          -- zlib of UTF-8
  received TEXT NOT NULL
);

CREATE INDEX replies_of_request ON replies (key);
-- The one rule that makes a doubled reply impossible.
CREATE UNIQUE INDEX one_good_reply ON replies (key) WHERE status = 'good';
