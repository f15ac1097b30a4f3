-- Tickets and accounts outlive people and payment types. A closing asks which they were, so that no signed day changes.
CREATE FUNCTION keep_former_country() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE tickets SET former_country = OLD.country_code, user_id = NULL WHERE user_id = OLD.id;
  RETURN OLD;
END $$;
--> statement-breakpoint
CREATE TRIGGER users_keep_former BEFORE DELETE ON users FOR EACH ROW EXECUTE FUNCTION keep_former_country();
--> statement-breakpoint
CREATE FUNCTION keep_former_payment_type() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE tickets SET former_payment_type_id = OLD.id, payment_type_id = NULL WHERE payment_type_id = OLD.id;
  UPDATE payment_accounts SET former_payment_type_id = OLD.id, payment_type_id = NULL WHERE payment_type_id = OLD.id;
  RETURN OLD;
END $$;
--> statement-breakpoint
CREATE TRIGGER payment_types_keep_former BEFORE DELETE ON payment_types FOR EACH ROW EXECUTE FUNCTION keep_former_payment_type();
