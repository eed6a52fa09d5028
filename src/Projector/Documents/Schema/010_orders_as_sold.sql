-- An order keeps the names of its products, so no order is looked up by a product any more. The column product_ids is
-- written by the release before this one only; it is null in rows of this release, until a later one drops it.
DROP INDEX read.orders_by_product;
