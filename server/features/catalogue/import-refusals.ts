import { Failure } from '#contract/failure.ts';
import type { FileColumn } from './file-cells.ts';
import type { FileError, FileRow } from './read-catalogue-file.ts';

/** What is wrong with the lines of a file, collected while they are read. */
export interface ImportRefusals {
  errors: FileError[];
  refuse(row: FileRow, column: FileColumn, message: string): void;
  /** Refuses a line by the sentence of the failure that a check throws. */
  attempt(row: FileRow, column: FileColumn, check: () => void): void;
  isRefused(row: FileRow): boolean;
}

export function collectRefusals(): ImportRefusals {
  const errors: FileError[] = [];
  const rows = new Set<FileRow>();
  const refuse: ImportRefusals['refuse'] = (row, column, message) => {
    errors.push({ line: row.line, column, message });
    rows.add(row);
  };
  return {
    errors,
    refuse,
    attempt(row, column, check) {
      try {
        check();
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        refuse(row, column, error.message);
      }
    },
    isRefused: (row) => rows.has(row),
  };
}
