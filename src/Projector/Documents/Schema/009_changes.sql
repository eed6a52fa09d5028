-- revision is the number of the last write of the document: higher than that of every write before, of any document.
-- The numbers begin at the time in microseconds, as in every transaction (Projecting/ProjectionState.cs), and are so
-- beyond the log positions that revisions were before.
-- No Projector writes meanwhile.
SELECT epoch FROM read.projection_state FOR UPDATE;
CREATE SEQUENCE read.revisions;
SELECT setval('read.revisions', floor(extract(epoch FROM clock_timestamp()) * 1000000)::bigint);

-- The last write of each document, also of one whose row is gone, in the order of the writes. In a table of its own: an
-- index on revision in the tables of documents would add an entry to each of their indexes with every write.
CREATE TABLE read.changes (
    kind     text NOT NULL,
    id       integer NOT NULL,
    revision bigint NOT NULL DEFAULT nextval('read.revisions'),
    PRIMARY KEY (kind, id)
) WITH (fillfactor = 70);
INSERT INTO read.changes (kind, id, revision)
SELECT 'products', id, revision FROM read.products
UNION ALL SELECT 'categories', id, revision FROM read.categories
UNION ALL SELECT 'users', id, revision FROM read.users
UNION ALL SELECT 'orders', id, revision FROM read.orders
UNION ALL SELECT 'reviews', id, revision FROM read.reviews;
CREATE INDEX changes_by_revision ON read.changes (kind, revision, id);

-- Last, because queries wait from here to the end of the transaction.
ALTER TABLE read.products ALTER COLUMN revision SET DEFAULT nextval('read.revisions');
ALTER TABLE read.categories ALTER COLUMN revision SET DEFAULT nextval('read.revisions');
ALTER TABLE read.users ALTER COLUMN revision SET DEFAULT nextval('read.revisions');
ALTER TABLE read.orders ALTER COLUMN revision SET DEFAULT nextval('read.revisions');
ALTER TABLE read.reviews ALTER COLUMN revision SET DEFAULT nextval('read.revisions');
