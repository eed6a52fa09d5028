-- No query looks orders up by product: an item keeps the name that its product had. The column stays as long as a
-- Projector of the release before may write it.
DROP INDEX read.orders_by_product;
