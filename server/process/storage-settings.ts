import * as z from 'zod';

const onOff = z.enum(['on', 'off']);

/** Where images are kept, and what an S3 bucket is reached by. */
export const storageSettings = {
  STORAGE: z.enum(['local', 's3']).default('local'),
  S3_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .refine((url) => !/^https?:\/\/[^/]*@/i.test(url), 'une adresse sans identifiant ni mot de passe')
    .refine((url) => !/[?#]/.test(url), 'une adresse sans « ? » ni « # »')
    .optional(),
  S3_REGION: z
    .string()
    .regex(/^[a-z0-9-]+$/, 'des minuscules, des chiffres et des tirets')
    .optional(),
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'un nom de bucket : 3 à 63 minuscules, chiffres, points et tirets')
    .optional(),
  S3_ACCESS_KEY_ID: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'des caractères visibles, sans espace')
    .optional(),
  S3_SECRET_ACCESS_KEY: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'des caractères visibles, sans espace')
    .optional(),
  S3_PREFIX: z
    .string()
    .regex(/^(?:[\w-]+\/)+$/, 'un ou plusieurs dossiers, chacun suivi de « / », par exemple guichet/')
    .default(''),
  S3_PATH_STYLE: onOff.default('on'),
};

/** Never repeated in a message: the endpoint too, which may hold a password. */
export const storageSecrets = ['S3_ENDPOINT', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'];

export type StorageSettings = z.output<z.ZodObject<typeof storageSettings>>;

const needed = ['S3_ENDPOINT', 'S3_REGION', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const;

/** Which settings are missing, in a sentence; undefined where the storage has what it needs. */
export function missingStorageSetting(settings: StorageSettings): string | undefined {
  if (settings.STORAGE === 'local') return undefined;
  const missing = needed.filter((name) => settings[name] === undefined);
  if (missing.length === 0) return undefined;
  const names = `${missing.length > 1 ? 'Les réglages' : 'Le réglage'} ${missing.join(', ')}`;
  return `${names} ${missing.length > 1 ? 'manquent' : 'manque'} : STORAGE=s3 en a besoin.`;
}

/** The bucket that images are kept in; undefined where they are files. */
export function bucketOf(settings: StorageSettings) {
  if (settings.STORAGE === 'local') return undefined;
  const [endpoint = '', region = '', bucket = '', accessKeyId = '', secretAccessKey = ''] = needed.map(
    (name) => settings[name],
  );
  return {
    endpoint,
    region,
    bucket,
    accessKeyId,
    secretAccessKey,
    /** What all names in the bucket begin with: nothing, or folders with a slash at the end. */
    prefix: settings.S3_PREFIX,
    /** Whether the bucket stands in the path, and not in front of the host's name. */
    isInPath: settings.S3_PATH_STYLE === 'on',
  };
}

/** A bucket, and what opens it. */
export type BucketSettings = NonNullable<ReturnType<typeof bucketOf>>;
