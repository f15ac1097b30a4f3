CALL announce_changes('payment_shapes', 'payments');
