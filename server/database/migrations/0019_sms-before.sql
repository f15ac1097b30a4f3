-- One cap a country is left: where the cap of all countries was the smaller one, it was what held.
UPDATE "sms_settings" SET "per_country_and_day" = least("per_day", "per_country_and_day");--> statement-breakpoint
-- Each start writes down its own gateways.
DELETE FROM "sms_gateways";--> statement-breakpoint
-- What raised and ended these is gone, or reads another cap.
DELETE FROM "alarms" WHERE "key" ~ '^sms-(balance|breaker|cap)(:|$)';
