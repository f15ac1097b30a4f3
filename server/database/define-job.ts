import type { CronItem, Job, Task } from 'graphile-worker';
import type * as z from 'zod';

/** A job as it stands in the queue: what who queues it and who runs it share. */
export interface QueuedJob<Payload = unknown> {
  name: string;
  /** None where the job carries nothing. */
  payload?: z.ZodType<Payload>;
}

/** A job as the worker runs it, with tools that it hands to all jobs. */
export interface JobDefinition<Tools> {
  name: string;
  cron?: Pick<CronItem, 'match' | 'options'>;
  taskWith: (tools: Tools) => Task;
}

/**
 * Defines a job: its name and payload in the queue, when it is queued by itself, and what it does with the tools it asks for.
 * A payload that does not fit fails the job, with an error that names the fields and no values.
 */
export function defineJob<Tools, Payload = undefined>({
  name,
  payload: schema,
  cron,
  run,
}: QueuedJob<Payload> &
  Pick<JobDefinition<Tools>, 'cron'> & {
    run(tools: Tools, payload: Payload, job: Job): Promise<void>;
  }): JobDefinition<Tools> {
  const read = (payload: unknown) => {
    if (!schema) return undefined as Payload;
    const { data, error } = schema.safeParse(payload);
    if (!error) return data;
    const words = error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    throw new Error(`the payload of ${name} does not fit (${words.join('; ')})`);
  };
  return {
    name,
    ...(cron && { cron }),
    taskWith:
      (tools) =>
      async (payload, { job }) =>
        run(tools, read(payload), job),
  };
}
