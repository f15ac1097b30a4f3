import * as z from 'zod';

const port = z
  .string()
  .regex(/^\d{1,5}$/)
  .transform(Number)
  .pipe(z.number().max(65535));

/** Settings of who watches the product, and how. */
export const watchSettings = {
  METRICS_PORT: port.optional(),
  METRICS_HOST: z.string().min(1).default('127.0.0.1'),
  STOP_DELAY_SECONDS: z
    .string()
    .regex(/^\d{1,3}$/, 'un nombre de secondes')
    .transform(Number)
    .pipe(z.number().max(300, '300 secondes au plus'))
    .default(0),
};
