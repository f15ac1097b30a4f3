-- A text as searches compare it, as `fold` of contract/spelling.ts: without case, accents and what nobody sees, with one kind of
-- space, dash, apostrophe and quotation mark.
CREATE OR REPLACE FUNCTION fold_text(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT btrim(regexp_replace(replace(replace(replace(lower(regexp_replace(translate(translate(translate(
    normalize(translate(value, U&'\00B4\2033', '''"'), NFKD),
    U&'\2010\2011\2012\2013\2014\2015\2043\2212', repeat('-', 8)),
    U&'`\02B9\02BB\02BC\02BD\02C8\2018\2019\201A\201B\2032\2035\A78B\A78C', repeat('''', 14)),
    U&'\00AB\00BB\201C\201D\201E\201F\2039\203A\275D\275E\301D\301E\301F', repeat('"', 13)),
    '[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f\u0001-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]',
    '', 'g')), 'ς', 'σ'), 'œ', 'oe'), 'æ', 'ae'),
    '[ \t-\r\u0085\u1680\u2028\u2029\u2800]+', ' ', 'g'))
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION user_search_text(first_name text, last_name text, email text, phone text, is_guest boolean)
RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT fold_text(first_name || ' ' || last_name) || E'\n' || fold_text(coalesce(email, '')) || E'\n' ||
    CASE WHEN is_guest THEN '' ELSE phone END
$$;
--> statement-breakpoint
-- What is kept is composed from now on, and is compared as such. The index of users follows as a step after the migrations.
UPDATE users SET first_name = normalize(first_name, NFC), last_name = normalize(last_name, NFC)
WHERE first_name IS NOT NFC NORMALIZED OR last_name IS NOT NFC NORMALIZED;
--> statement-breakpoint
UPDATE beneficiaries SET name = normalize(name, NFC) WHERE name IS NOT NFC NORMALIZED;
--> statement-breakpoint
UPDATE services SET name = normalize(name, NFC), description = normalize(description, NFC), price = normalize(price, NFC),
  operator_note = normalize(operator_note, NFC)
WHERE name IS NOT NFC NORMALIZED OR description IS NOT NFC NORMALIZED OR price IS NOT NFC NORMALIZED
  OR operator_note IS NOT NFC NORMALIZED;
--> statement-breakpoint
UPDATE payment_types p SET name = normalize(name, NFC) WHERE name IS NOT NFC NORMALIZED AND NOT EXISTS (
  SELECT FROM payment_types other WHERE other.id <> p.id AND lower(normalize(other.name, NFC)) = lower(normalize(p.name, NFC)));
--> statement-breakpoint
-- Each path again by the names in one of its tickets. Paths that are alike by now are one: the oldest.
CREATE TEMPORARY TABLE refolded ON COMMIT DROP AS
SELECT id, folded, min(id) OVER (PARTITION BY folded) AS kept FROM (
  SELECT p.id, (SELECT fold_path(service_path) FROM tickets WHERE path_id = p.id LIMIT 1) AS folded FROM ticket_paths p
) paths;
--> statement-breakpoint
UPDATE tickets SET path_id = kept FROM refolded WHERE path_id = refolded.id AND folded IS NOT NULL AND kept <> refolded.id;
--> statement-breakpoint
DELETE FROM ticket_paths p USING refolded r WHERE p.id = r.id AND (r.folded IS NULL OR r.kept <> r.id);
--> statement-breakpoint
UPDATE ticket_paths p SET folded = r.folded FROM refolded r WHERE p.id = r.id AND p.folded <> r.folded;
