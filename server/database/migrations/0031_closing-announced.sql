CALL announce_changes('payment_closings', 'payments');
