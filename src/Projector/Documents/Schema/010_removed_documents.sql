-- Whether the document's row was removed on purpose, as healing does. An audit reports a place without a document
-- where it was not.
ALTER TABLE read.changes ADD COLUMN is_removed boolean NOT NULL DEFAULT false;
