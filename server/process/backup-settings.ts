import path from 'node:path';
import * as z from 'zod';
import { backupLimits } from './backup-limits.ts';

const whole = (from: number, to: number) =>
  z
    .string()
    .regex(/^\d{1,4}$/, `un nombre entier de ${from} à ${to}`)
    .transform(Number)
    .refine((value) => value >= from && value <= to, `un nombre entier de ${from} à ${to}`);

/** When backups are made, where they go, and what seals them. */
export const backupSettings = {
  /** Without one, nothing is backed up but by hand. */
  BACKUP_DIR: z
    .string()
    .min(1)
    .transform((folder) => path.resolve(folder))
    .optional(),
  /** The hour of the day, in UTC. */
  BACKUP_HOUR: whole(0, 23).default(3),
  /** How many stay. */
  BACKUP_KEEP: whole(1, 1000).default(14),
  BACKUP_PASSPHRASE: z
    .string()
    .min(backupLimits.passphraseCharacters, `au moins ${backupLimits.passphraseCharacters} caractères`)
    .optional(),
};
