import { databaseLimits } from '#server/database/limits.ts';
import { imageLimits } from '#server/features/uploads/limits.ts';
import { jobLimits } from '#server/jobs/limits.ts';

/** What waits for its turn on a busy machine is not refused after seconds, as a person's request is. */
Object.assign(databaseLimits, { connectMs: 60_000, filingTurnMs: 60_000 });
Object.assign(imageLimits, { seconds: 60 });
/** Each of a product's own connections costs half a test, and most products of the tests have few jobs. */
Object.assign(jobLimits, { concurrency: 2 });
