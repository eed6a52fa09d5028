-- The epoch of projection_state for the queries. That row has a new version after each projection transaction, and
-- while a session holds an old snapshot, such as a dump, a read goes through all of them.
CREATE TABLE read.epoch (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    epoch    bigint NOT NULL
);

SELECT epoch FROM read.projection_state FOR UPDATE;
INSERT INTO read.epoch (epoch) SELECT epoch FROM read.projection_state;

CREATE FUNCTION read.copy_epoch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE read.epoch SET epoch = NEW.epoch;
    RETURN NULL;
END
$$;

-- A trigger, because a Projector of the release before can set an epoch too.
CREATE TRIGGER copy_epoch AFTER UPDATE OF epoch ON read.projection_state
FOR EACH ROW EXECUTE FUNCTION read.copy_epoch();
