-- What the filter of a public link matched when the link was created, as JSON. Changes of the filter do not change what
-- visitors see.
ALTER TABLE public_links ADD COLUMN published_filter TEXT;
UPDATE public_links SET published_filter = (SELECT s.filter FROM saved_filters s WHERE s.id = public_links.filter)
WHERE filter IS NOT NULL;
