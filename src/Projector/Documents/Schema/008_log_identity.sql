-- The identity of the event log that the documents are made from; null until a Projector has read it.
ALTER TABLE read.projection_state ADD COLUMN log_id text;
