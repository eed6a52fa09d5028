-- The planner regards a word that is not among the most frequent ones as half as frequent as the least of them. With
-- the usual 1,000 words that is 0.03 % of all products: among ten million it would read all of them in the order of ids
-- to find the few of a rare word. With 10,000 words it uses the index of words.
ALTER TABLE read.product_words ALTER COLUMN words SET STATISTICS 1000;
ANALYZE read.product_words;
