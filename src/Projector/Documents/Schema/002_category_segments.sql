-- How many products of a category lie in each segment of 500 product ids. A batch counts its own segments again and
-- adds up the rest, so that the count of a large category does not cost a walk over all its products each time.
CREATE TABLE read.category_segments (
    category_id   integer NOT NULL,
    segment       integer NOT NULL,
    product_count integer NOT NULL,
    PRIMARY KEY (category_id, segment)
) WITH (fillfactor = 70);
CREATE INDEX category_segments_by_segment ON read.category_segments (segment);
