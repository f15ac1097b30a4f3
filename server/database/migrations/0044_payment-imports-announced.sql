CALL announce_changes('payment_imports', 'payments');
