/** Server slices in order: each may import those before it. */
export const slices: readonly string[] = [
  'tallies',
  'alarms',
  'backups',
  'sms',
  'watch',
  'uploads',
  'users',
  'sessions',
  'notifications',
  'push',
  'audit',
  'auth',
  'own-password',
  'accounts',
  'payment-types',
  'content-pages',
  'page-background',
  'settings',
  'sms-panel',
  'catalogue',
  'tickets',
  'dashboard',
];

/** What each folder of `server/` never imports, beside what leads in a circle. */
export const serverNever: Readonly<Record<string, readonly string[]>> = {
  database: ['features', 'http', 'jobs'],
  http: ['features', 'jobs'],
  features: ['jobs', 'cli', 'app.ts', 'main.mjs'],
};

/** What each folder of `web/` may import of `web/`, beside itself. */
export const webRooms: Readonly<Record<string, readonly string[]>> = {
  ui: [],
  worker: ['addresses.ts'],
  build: ['addresses.ts', 'api', 'browsers.ts', 'session', 'shell'],
  api: [],
  push: ['api'],
  text: ['api'],
  forms: ['api', 'text', 'ui'],
  dialling: ['api', 'forms', 'text', 'ui'],
  catalogue: ['ui'],
  session: ['addresses.ts', 'order-draft.ts', 'router.tsx', 'api', 'forms', 'push', 'text', 'ui'],
  shell: ['addresses.ts', 'order-draft.ts', 'router.tsx', 'api', 'dialling', 'forms', 'push', 'session', 'text', 'ui'],
  features: [
    'addresses.ts',
    'admin-addresses.ts',
    'order-again.ts',
    'order-draft.ts',
    'router.tsx',
    'search-address.ts',
    'api',
    'catalogue',
    'dialling',
    'forms',
    'session',
    'shell',
    'text',
    'ui',
  ],
};
