// Constraints and indexes, generated from the schema table; `realhop graph load` runs
// them. To write this file again: python -m realhop_kg.stores.pages

CREATE CONSTRAINT item_id IF NOT EXISTS FOR (n:`Item`) REQUIRE n.id IS UNIQUE;
CREATE INDEX item_gid IF NOT EXISTS FOR (n:`Item`) ON (n.`gid`);
CREATE INDEX item_scope IF NOT EXISTS FOR (n:`Item`) ON (n.`scope`);
CREATE CONSTRAINT hop_id IF NOT EXISTS FOR (n:`Hop`) REQUIRE n.id IS UNIQUE;
CREATE INDEX hop_gid IF NOT EXISTS FOR (n:`Hop`) ON (n.`gid`);
CREATE CONSTRAINT entity_id IF NOT EXISTS FOR (n:`Entity`) REQUIRE n.id IS UNIQUE;
CREATE INDEX entity_gid IF NOT EXISTS FOR (n:`Entity`) ON (n.`gid`);
CREATE CONSTRAINT fact_id IF NOT EXISTS FOR (n:`Fact`) REQUIRE n.id IS UNIQUE;
CREATE INDEX fact_gid IF NOT EXISTS FOR (n:`Fact`) ON (n.`gid`);
CREATE CONSTRAINT evidenceunit_id IF NOT EXISTS FOR (n:`EvidenceUnit`) REQUIRE n.id IS UNIQUE;
CREATE INDEX evidenceunit_gid IF NOT EXISTS FOR (n:`EvidenceUnit`) ON (n.`gid`);
CREATE CONSTRAINT path_id IF NOT EXISTS FOR (n:`Path`) REQUIRE n.id IS UNIQUE;
CREATE INDEX path_gid IF NOT EXISTS FOR (n:`Path`) ON (n.`gid`);
CREATE CONSTRAINT passage_id IF NOT EXISTS FOR (n:`Passage`) REQUIRE n.id IS UNIQUE;
CREATE INDEX passage_gid IF NOT EXISTS FOR (n:`Passage`) ON (n.`gid`);
CREATE CONSTRAINT insertion_id IF NOT EXISTS FOR (n:`Insertion`) REQUIRE n.id IS UNIQUE;
CREATE INDEX insertion_gid IF NOT EXISTS FOR (n:`Insertion`) ON (n.`gid`);
CREATE CONSTRAINT span_id IF NOT EXISTS FOR (n:`Span`) REQUIRE n.id IS UNIQUE;
CREATE INDEX span_gid IF NOT EXISTS FOR (n:`Span`) ON (n.`gid`);
CREATE CONSTRAINT trial_id IF NOT EXISTS FOR (n:`Trial`) REQUIRE n.id IS UNIQUE;
CREATE INDEX trial_gid IF NOT EXISTS FOR (n:`Trial`) ON (n.`gid`);
CREATE CONSTRAINT page_id IF NOT EXISTS FOR (n:`Page`) REQUIRE n.id IS UNIQUE;
CREATE INDEX page_gid IF NOT EXISTS FOR (n:`Page`) ON (n.`gid`);
CREATE INDEX page_page_title IF NOT EXISTS FOR (n:`Page`) ON (n.`page_title`);
CREATE CONSTRAINT refusal_id IF NOT EXISTS FOR (n:`Refusal`) REQUIRE n.id IS UNIQUE;
CREATE INDEX refusal_gid IF NOT EXISTS FOR (n:`Refusal`) ON (n.`gid`);
CREATE INDEX refusal_scope IF NOT EXISTS FOR (n:`Refusal`) ON (n.`scope`);
