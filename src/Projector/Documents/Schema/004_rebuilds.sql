-- The id of the event at the position: a log that was restored from a backup gives its positions to other events.
ALTER TABLE read.checkpoints ADD COLUMN event_id uuid;

-- One row for each rebuild, with its status.
CREATE TABLE read.rebuilds (
    number     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    started_at timestamptz NOT NULL DEFAULT now(),
    status     jsonb NOT NULL
);
