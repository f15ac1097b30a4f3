import type pg from 'pg';
import type { Environment } from '#server/process/environment.ts';

/** What a check found: how it is, in a French sentence, and where that is wrong, how to mend it. */
export interface Finding {
  is: string;
  mend?: string;
}

/** What is looked at. */
export interface Patient {
  environment: Environment;
  /** The folder of images and secrets; none before the first start. */
  home: string | undefined;
  /** The database, where it can be reached. */
  pool: pg.Pool | undefined;
}

export interface Check {
  /** What is looked at, in a word. */
  title: string;
  look(patient: Patient): Promise<Finding[]>;
}

/** For an answer from somewhere else. */
export const answerMs = 8_000;

export const reasonOf = (error: unknown): string => {
  if (error instanceof AggregateError && error.errors[0]) return reasonOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
};
