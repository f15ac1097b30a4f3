CREATE TABLE "merchant_numbers" (
	"payment_type_id" integer NOT NULL,
	"country" text NOT NULL,
	"number" text NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "merchant_numbers_payment_type_id_country_pk" PRIMARY KEY("payment_type_id","country"),
	CONSTRAINT "merchant_numbers_country" CHECK (array["merchant_numbers"."country"] <@ array['+226', '+225', '+223', '+227', '+229', '+228', '+221']),
	CONSTRAINT "merchant_numbers_number" CHECK ("merchant_numbers"."number" ~ '^[0-9]{4,12}$' and "merchant_numbers"."number" <> '00000000')
);
--> statement-breakpoint
ALTER TABLE "merchant_numbers" ADD CONSTRAINT "merchant_numbers_payment_type_id_payment_types_id_fk" FOREIGN KEY ("payment_type_id") REFERENCES "public"."payment_types"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
INSERT INTO merchant_numbers (payment_type_id, country, number)
SELECT payment_type_id, country, merchant FROM dial_templates WHERE merchant ~ '^[0-9]{4,12}$' AND merchant <> '00000000';
--> statement-breakpoint
-- The example's number between two marks; eight zeros elsewhere may be the end of a number to call.
UPDATE services SET phone_number = regexp_replace(phone_number, '([*#])00000000(?=[*#])', '\1{marchand}', 'g'),
  updated_at = greatest(now(), updated_at + interval '1 millisecond')
WHERE phone_number ~ '[*#]00000000[*#]';
--> statement-breakpoint
UPDATE dial_templates SET template = regexp_replace(template, '([*#])00000000(?=[*#])', '\1{marchand}', 'g'),
  updated_at = greatest(now(), updated_at + interval '1 millisecond')
WHERE template ~ '[*#]00000000[*#]';
--> statement-breakpoint
CALL announce_changes('merchant_numbers', 'payment-types');
--> statement-breakpoint
ALTER TABLE "dial_templates" DROP COLUMN "merchant";
