CALL announce_changes('contact_settings', 'contact');
