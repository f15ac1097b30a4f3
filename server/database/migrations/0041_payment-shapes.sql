CREATE TABLE "payment_shapes" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "payment_shapes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"payment_type_id" integer,
	"country" text NOT NULL,
	"template" text NOT NULL,
	"created_by" integer,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"removed_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "payment_lines" ADD COLUMN "shape_id" integer;--> statement-breakpoint
ALTER TABLE "payment_shapes" ADD CONSTRAINT "payment_shapes_payment_type_id_payment_types_id_fk" FOREIGN KEY ("payment_type_id") REFERENCES "public"."payment_types"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_shapes" ADD CONSTRAINT "payment_shapes_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "payment_shapes_once" ON "payment_shapes" USING btree ("payment_type_id","country","template") WHERE "payment_shapes"."removed_at" is null;--> statement-breakpoint
CREATE INDEX "payment_shapes_created_by" ON "payment_shapes" USING btree ("created_by");--> statement-breakpoint
ALTER TABLE "payment_lines" ADD CONSTRAINT "payment_lines_shape_id_payment_shapes_id_fk" FOREIGN KEY ("shape_id") REFERENCES "public"."payment_shapes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "payment_lines_shape" ON "payment_lines" USING btree ("shape_id","id") WHERE "payment_lines"."shape_id" is not null;