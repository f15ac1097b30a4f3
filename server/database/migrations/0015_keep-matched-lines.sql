-- Keeps payment_lines.is_matched, by which the index of the open lines leaves out those of a match that is not undone.
CREATE FUNCTION mark_matched_line() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE payment_lines l SET is_matched = EXISTS (SELECT FROM payment_matches m WHERE m.line_id = l.id AND m.undone_at IS NULL)
  WHERE l.id IN (OLD.line_id, NEW.line_id);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER payment_matches_mark AFTER INSERT OR DELETE OR UPDATE OF line_id, undone_at ON payment_matches
FOR EACH ROW EXECUTE FUNCTION mark_matched_line();
--> statement-breakpoint
UPDATE payment_lines SET is_matched = true WHERE id IN (SELECT line_id FROM payment_matches WHERE undone_at IS NULL);
--> statement-breakpoint
-- A sender is purged with its message, and so is said nowhere else.
UPDATE payment_messages SET why = 'Expéditeur inconnu. Un SMS peut être imité.' WHERE state = 'refused';
