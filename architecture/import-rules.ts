import path from 'node:path';
import { slices } from './order.ts';
import { forbid, isIn, isOurs, isTest, isTypeScript, type Rule, sliceOf } from './rule.ts';
import { nodesOf, textOf } from './syntax.ts';

const contractMay = ['zod'];
const contractTestsMay = [...contractMay, 'vitest', 'fast-check', 'libphonenumber-js'];
const webUiMay = ['react', 'react-dom', '@radix-ui/react-dropdown-menu'];

export const importRules: Rule[] = [
  {
    sentence: 'contract/ imports zod and itself only',
    looksAt: (file) => isIn('contract')(file) && isTypeScript(file),
    breaks: forbid((used, file) => {
      const allowed = isTest(file) ? contractTestsMay : contractMay;
      return used.target ? !used.target.startsWith('contract/') : !allowed.includes(used.package ?? '');
    }),
    broken: [
      { 'contract/a.ts': "import fs from 'node:fs';" },
      { 'contract/a.ts': "import { db } from '#server/db.ts';" },
      { 'contract/a.ts': "import fc from 'fast-check';" },
      { 'contract/a.ts': "type A = import('pg').Pool;" },
    ],
    fine: [
      { 'contract/a.ts': "import * as z from 'zod/mini';\nexport { b } from '#contract/b.ts';" },
      { 'contract/a.test.ts': "import fc from 'fast-check';" },
    ],
  },
  {
    sentence: 'server/ and web/ import the contract, and never one another or what stands around them',
    looksAt: (file) => isIn('server', 'web')(file) && isTypeScript(file),
    breaks: forbid((used, file) => {
      const own = file.path.startsWith('web/') ? 'web/' : 'server/';
      return used.target !== undefined && !used.target.startsWith(own) && !used.target.startsWith('contract/');
    }),
    broken: [
      { 'server/a.ts': "import { a } from '#web/a.ts';" },
      { 'web/a.tsx': "const a = import('#server/a.ts');" },
      { 'web/a.tsx': "const a = <A of={null as import('#server/a.ts').A} />;" },
      { 'server/a.ts': "import { a } from '../bench/a.ts';" },
    ],
    fine: [
      { 'server/a.ts': "import { a } from '#contract/a.ts';\nimport { b } from '#server/b.ts';" },
      { 'web/a.tsx': "import { a } from '#contract/a.ts';\nconst text = \"import '#server/a.ts'\";" },
    ],
  },
  {
    sentence: 'web/ui imports only itself and React',
    looksAt: (file) => isIn('web/ui')(file) && isTypeScript(file) && !isTest(file),
    breaks: forbid((used) =>
      used.target ? !used.target.startsWith('web/ui/') : !webUiMay.includes(used.package ?? ''),
    ),
    broken: [
      { 'web/ui/a.tsx': "import { call } from '#web/api/client.ts';" },
      { 'web/ui/a.tsx': "import { Link } from 'wouter';" },
      { 'web/ui/a.tsx': "import { money } from '#contract/money.ts';" },
    ],
    fine: [{ 'web/ui/a.tsx': "import { useState } from 'react';\nimport './a.css';\nimport { b } from './b.tsx';" }],
  },
  {
    sentence: `a server slice imports only slices before it (${slices.join(', ')})`,
    looksAt: (file) => isIn('server/features')(file) && isTypeScript(file) && !isTest(file),
    breaks(file) {
      const own = slices.indexOf(sliceOf(file.path, 'server') ?? '');
      if (own < 0) return ['belongs to a slice that is not in the order of the slices'];
      return forbid(({ target }) => {
        const slice = target && sliceOf(target, 'server');
        return slice !== undefined && !slices.slice(0, own + 1).includes(slice);
      })(file);
    },
    broken: [
      { 'server/features/auth/a.ts': "import {\n  a,\n} from '#server/features/tickets/store.ts';" },
      { 'server/features/users/tables.ts': "import { sessions } from '#server/features/sessions/tables.ts';" },
      { 'server/features/other/a.ts': 'export const a = 1;' },
    ],
    fine: [
      { 'server/features/auth/a.ts': "import { a } from '#server/features/users/store.ts';" },
      { 'server/features/tickets/tables.ts': "import { users } from '#server/features/users/tables.ts';" },
      { 'server/features/users/store.ts': "import { users } from './tables.ts';" },
    ],
  },
  {
    sentence: "no slice imports another slice's routes.ts",
    looksAt: (file) => isIn('server/features')(file) && isTypeScript(file),
    breaks: forbid(({ target }, file) => {
      const foreign = target !== undefined && sliceOf(target, 'server') !== sliceOf(file.path, 'server');
      return foreign && target.endsWith('/routes.ts');
    }),
    broken: [{ 'server/features/audit/a.ts': "import { a } from '#server/features/accounts/routes.ts';" }],
    fine: [{ 'server/features/audit/a.ts': "import { a } from './routes.ts';" }],
  },
  {
    sentence: 'web slices never import one another: web/app.tsx puts their screens together',
    looksAt: (file) => isIn('web/features')(file) && isTypeScript(file),
    breaks: forbid(({ target }, file) => {
      const slice = target && sliceOf(target, 'web');
      return slice !== undefined && slice !== sliceOf(file.path, 'web');
    }),
    broken: [
      { 'web/features/order/a.tsx': "import { a } from '#web/features/tickets/a.tsx';" },
      { 'web/features/order/a.tsx': "const A = lazy(() => import('#web/features/tickets/a.tsx'));" },
    ],
    fine: [{ 'web/features/order/a.tsx': "import { a } from '#web/features/order/parts/a.tsx';" }],
  },
  {
    sentence: "drizzle appears only in a slice's store.ts and tables.ts, and in server/database/",
    looksAt: (file) =>
      isOurs(file) && !isTest(file) && !/^server\/features\/[^/]+\/(?:store|tables)\.ts$/.test(file.path),
    except: { 'server/database/': 'holds the connection and the migrations' },
    breaks: forbid((used) => /^drizzle-/.test(used.specifier)),
    broken: [
      { 'server/app.ts': "import { sql } from 'drizzle-orm';" },
      { 'server/features/users/b.ts': "import type { A } from 'drizzle-orm/pg-core';" },
      { 'server/features/users/user-store.ts': "import { eq } from 'drizzle-orm';" },
      { 'server/testing/builders.ts': "import { eq } from 'drizzle-orm';" },
    ],
    fine: [
      { 'server/features/users/b.ts': "// import { eq } from 'drizzle-orm';\nconst a = 'drizzle-orm';" },
      { 'server/features/users/store.ts': "import { eq } from 'drizzle-orm';" },
      { 'server/database/a.ts': "import { sql } from 'drizzle-orm';" },
    ],
  },
  {
    sentence: 'Fastify appears only in app.ts, http/, routes.ts and what works on requests',
    looksAt: (file) => isOurs(file) && !isTest(file) && !/^server\/features\/[^/]+\/routes\.ts$/.test(file.path),
    except: {
      'server/app.ts': 'builds the Fastify application',
      'server/http/': 'is the bridge from the contract to Fastify',
      'server/features/sessions/': 'the session lives in a cookie of the request',
      'server/features/auth/flow-cookie.ts': 'ties a code to the browser by a cookie of the request',
      'server/features/auth/device-cookie.ts': 'knows the browser again by a cookie of the request',
      'server/features/audit/register-audit.ts': 'is a hook on every answer',
      'server/testing/': 'calls the application without a network',
    },
    breaks: forbid((used, file) => {
      // The worker takes the application's logger.
      if (file.path === 'server/jobs/worker.ts' && used.onlyTypes) return false;
      return /^@?fastify/.test(used.specifier);
    }),
    broken: [
      { 'server/features/users/store.ts': "import type { A } from 'fastify';" },
      { 'server/starter/write-starter-data.ts': "import type {} from '@fastify/multipart';" },
      { 'server/jobs/worker.ts': "import fastify from 'fastify';" },
      { 'server/live/a.ts': "declare module 'fastify' {}" },
    ],
    fine: [
      { 'server/features/users/store.ts': "import pg from 'pg';\nconst a = 'fastify';" },
      { 'server/jobs/worker.ts': "import type { FastifyBaseLogger } from 'fastify';" },
      { 'server/features/users/routes.ts': "import type { FastifyInstance } from 'fastify';" },
    ],
  },
  {
    sentence: "imports say './x.ts' in the same folder and '#contract/…', '#server/…' or '#web/…' elsewhere",
    looksAt: isOurs,
    breaks: forbid(({ specifier, target }, file) => {
      const neighbour = target !== undefined && path.posix.dirname(target) === path.posix.dirname(file.path);
      return specifier.split('/').includes('..') || (specifier.startsWith('#') && neighbour);
    }),
    broken: [
      { 'server/a/b.ts': "import { c } from '../c.ts';" },
      { 'server/a/b.ts': "import { c } from '#server/a/c.ts';" },
    ],
    fine: [{ 'server/a/b.ts': "import { c } from './c.ts';\nimport { d } from '#server/d.ts';" }],
  },
  {
    sentence: 'an import names what it imports, so that these rules can read it',
    looksAt: isOurs,
    except: {
      'server/database/embedded/programs.ts': "loads PostgreSQL's programs for this machine's processor",
    },
    breaks: (file) =>
      nodesOf(file)
        .filter((node) => node.type === 'ImportExpression' && textOf(node.source) === undefined)
        .map(() => 'imports a file by a computed name'),
    broken: [{ 'web/a.ts': 'const a = import(`#web/$' + '{name}.ts`);' }, { 'server/a.ts': 'await import(name);' }],
    fine: [{ 'web/a.ts': "const a = import('#web/b.ts');" }],
  },
];
