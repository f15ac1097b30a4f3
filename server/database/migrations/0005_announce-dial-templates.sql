CALL announce_changes('dial_templates', 'payment-types');--> statement-breakpoint
CALL announce_changes('code_reports', 'payment-types');
