CREATE INDEX "payment_messages_source" ON "payment_messages" USING btree ("source_id","received_at");
--> statement-breakpoint
-- Lines of a statement that tells days alone, from before 0014 noted it: they stand at their country's midnight.
UPDATE payment_lines l SET is_day_only = true FROM payment_accounts a
WHERE a.id = l.account_id AND l.seen_in = 8 AND NOT l.is_day_only
  AND extract(epoch FROM l.paid_at + CASE WHEN a.country IN ('+227', '+229') THEN interval '1 hour' ELSE interval '0' END)::bigint % 86400 = 0;
