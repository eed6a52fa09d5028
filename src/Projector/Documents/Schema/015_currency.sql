-- The currency of the documents of a resource. The tables of a rebuild have their own checkpoints, so a rollback brings
-- back the currency of its documents too. Null for documents from before, which have none: they are rebuilt.
ALTER TABLE read.checkpoints ADD COLUMN currency text;
