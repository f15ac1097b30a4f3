-- The indexes tickets_total_filed and tickets_beneficiary_ending: a step after the migrations makes them (server/database/online-steps.ts).
SELECT 1;
