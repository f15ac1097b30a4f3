import { Logger } from 'graphile-worker';

/** The job runner's own chatter is left out; failures of our jobs are logged by the jobs. */
export const quietJobLogger = new Logger(() => () => {});
