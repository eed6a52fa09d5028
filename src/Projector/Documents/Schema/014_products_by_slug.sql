-- A file of its own: while an index is built, documents can be read, but not while a column is added.
-- It finds the product of a slug. It is not unique: the events of two products may arrive in another order than the one
-- in which a slug moved between them, and the table of the shop is what keeps it unique.
CREATE INDEX products_by_slug ON read.products (slug, id) WHERE NOT is_deleted AND slug IS NOT NULL;
