-- Whether the document's row was removed on purpose, as healing does. Then its place has no document, and an audit
-- finds the other places without one.
ALTER TABLE read.changes ADD COLUMN is_removed boolean NOT NULL DEFAULT false;
