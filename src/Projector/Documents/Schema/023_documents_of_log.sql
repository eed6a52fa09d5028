-- False from a restore of the tables until the documents were compared with the log, or made again from it. Meanwhile a
-- query with a Consistency-Token is refused: a document that was undone may have the id and the version in the token.
ALTER TABLE read.projection_state ADD COLUMN is_of_log boolean NOT NULL DEFAULT true;
