ALTER TABLE read.products ADD COLUMN slug text;
