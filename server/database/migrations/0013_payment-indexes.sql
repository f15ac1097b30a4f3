CREATE INDEX "payment_lines_our_reference" ON "payment_lines" USING btree ("our_reference") WHERE "payment_lines"."our_reference" is not null;
