-- What an operator took back was told by a sentence alone.
UPDATE payment_lines
SET taken_back = CASE WHEN state = 'reversed' THEN gross ELSE substring(anomaly from '(\d+) FCFA')::integer END
WHERE anomaly LIKE 'L''opérateur a repris %';
--> statement-breakpoint
UPDATE payment_lines
SET before_import = before_import || jsonb_build_object('taken_back',
  CASE WHEN before_import->>'state' = 'reversed' THEN (before_import->>'gross')::integer
    ELSE substring(before_import->>'anomaly' from '(\d+) FCFA')::integer END)
WHERE before_import->>'anomaly' LIKE 'L''opérateur a repris %';
