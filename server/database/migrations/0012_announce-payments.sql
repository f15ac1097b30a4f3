CALL announce_changes('payment_accounts', 'payments');
--> statement-breakpoint
CALL announce_changes('payment_sources', 'payments');
--> statement-breakpoint
CALL announce_changes('payment_messages', 'payments');
--> statement-breakpoint
CALL announce_changes('payment_lines', 'payments');
--> statement-breakpoint
CALL announce_changes('payment_matches', 'payments');
