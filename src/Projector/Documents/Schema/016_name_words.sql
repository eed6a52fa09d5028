-- The words of each active product's name, as they are written and not reduced to their stems, and how many products
-- have each: the query API completes with them what a client types. Words of every text ("the"), numbers, and letters
-- alone are none.
CREATE TABLE read.product_name_words (
    product_id integer PRIMARY KEY,
    words      text[] NOT NULL
);

-- A word that no product has any more stays, with 0, until the next rebuild: so readers learn that it is gone.
CREATE TABLE read.name_word_counts (
    word     text COLLATE "C" PRIMARY KEY,
    products integer NOT NULL,
    -- The last transaction that changed the number: a reader reads what changed since its last read.
    changed  xid8 NOT NULL DEFAULT pg_current_xact_id()
);
CREATE INDEX name_word_counts_by_change ON read.name_word_counts (changed);

INSERT INTO read.product_name_words
SELECT id, CASE WHEN is_active THEN ARRAY(
    SELECT word FROM unnest(tsvector_to_array(to_tsvector('simple', name))) AS word
    WHERE length(word) BETWEEN 2 AND 40 AND word !~ '[0-9]' AND length(to_tsvector('english', word)) > 0) ELSE '{}' END
FROM read.products WHERE NOT is_deleted;
INSERT INTO read.name_word_counts
SELECT word, count(*) FROM read.product_name_words CROSS JOIN unnest(words) AS word GROUP BY word;
