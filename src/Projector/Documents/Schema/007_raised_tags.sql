-- When the oldest change was stored whose tags are pending: Queries.Api serves nothing older from its caches.
ALTER TABLE read.projection_state ADD COLUMN pending_since timestamptz;

-- The xmin of the projection_state whose tags are raised. In a table of its own, since that row is locked while a batch
-- is applied, and raised tags must not count as pending for so long.
CREATE TABLE read.raised_tags (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    version  xid NOT NULL DEFAULT '0'
) WITH (fillfactor = 10);
INSERT INTO read.raised_tags DEFAULT VALUES;
