-- The index tallies_hour is made by the online steps (server/database/online-steps.ts).
SELECT 1;
