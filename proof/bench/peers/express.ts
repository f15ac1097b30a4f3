import connectPgSimple from 'connect-pg-simple';
import { and, count, desc, eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import express, { type NextFunction, type Request, type Response } from 'express';
import session from 'express-session';
import pg from 'pg';
import * as z from 'zod';
import { fillDialTemplate } from '../../../contract/dial-code.ts';
import { priceOf } from '../../../contract/pricing.ts';
import { databaseLimits } from '../../../server/database/limits.ts';
import { services } from '../../../server/features/catalogue/tables.ts';
import { paymentTypes } from '../../../server/features/payment-types/tables.ts';
import { ticketEvents, tickets } from '../../../server/features/tickets/tables.ts';
import { users } from '../../../server/features/users/tables.ts';

/**
 * A list and a filing as a sensible team would first write them: express 5, express-session with its table in PostgreSQL, drizzle
 * on a pool as large as the product's, on the product's tables with their triggers, with the same JSON and X-Total-Count. The session
 * and the user are read with every request; express' own ETag and 304 spare the line but not the work. It does not write the
 * session back (`disableTouch`), compress, limit, log, validate what it answers, or know an order by its key.
 */
declare module 'express-session' {
  interface SessionData {
    userId: number;
  }
}

process.once('disconnect', () => process.exit());

const pool = new pg.Pool({ ...JSON.parse(process.env.DATABASE ?? ''), max: databaseLimits.connections });
const db = drizzle(pool, { casing: 'snake_case' });
const SessionStore = connectPgSimple(session);
const app = express();
app.disable('x-powered-by');
app.use(express.json());
app.use(
  session({
    store: new SessionStore({ pool, createTableIfMissing: true, disableTouch: true, pruneSessionInterval: false }),
    secret: process.env.SESSION_SECRET ?? '',
    resave: false,
    saveUninitialized: false,
    cookie: { maxAge: 30 * 86_400_000, sameSite: 'lax' },
  }),
);

async function requireUser(request: Request, response: Response, next: NextFunction) {
  const { userId } = request.session;
  const [user] = userId ? await db.select().from(users).where(eq(users.id, userId)) : [];
  if (!user || user.deactivatedAt || !user.isVerified) {
    response.status(401).json({ message: 'Veuillez vous connecter.' });
    return;
  }
  response.locals.user = user;
  next();
}

const userOf = (response: Response) => response.locals.user as typeof users.$inferSelect;
const present = ({ idempotencyKey, fingerprint, pathId, ...ticket }: typeof tickets.$inferSelect) => ticket;

app.get('/api/tickets/user/:userId', requireUser, async (request, response) => {
  const id = Number(request.params.userId);
  const user = userOf(response);
  if (user.id !== id && !user.isAdmin) {
    response.status(403).json({ message: 'Accès refusé.' });
    return;
  }
  const limit = Math.min(Number(request.query.limit ?? 100), 1_000);
  const rows = await db.select().from(tickets).where(eq(tickets.userId, id)).orderBy(desc(tickets.id)).limit(limit);
  const [total] = await db.select({ count: count() }).from(tickets).where(eq(tickets.userId, id));
  response.set('X-Total-Count', String(total?.count)).json(rows.map(present));
});

const orderShape = z.object({
  serviceId: z.int(),
  servicePath: z.array(z.object({ id: z.int() })),
  beneficiaryPhoneNumber: z.string().max(40),
  paymentTypeName: z.string().max(80),
  totalPrice: z.coerce.number().int(),
});

app.post('/api/tickets', requireUser, async (request, response) => {
  const { success, data: order } = orderShape.safeParse(request.body);
  if (!success) {
    response.status(400).json({ message: 'Requête invalide.' });
    return;
  }
  const ticket = await db.transaction((tx) => file(tx, userOf(response).id, order));
  if (ticket) response.status(201).json(present(ticket));
  else response.status(409).json({ message: "Ce service n'est plus proposé ainsi." });
});

type Transaction = Parameters<Parameters<typeof db.transaction>[0]>[0];

async function file(tx: Transaction, userId: number, order: z.infer<typeof orderShape>) {
  const { paymentTypeName, beneficiaryPhoneNumber } = order;
  const path = [];
  for (let next: number | null = order.serviceId; next !== null; ) {
    const [step]: (typeof services.$inferSelect)[] = await tx.select().from(services).where(eq(services.id, next));
    if (!step?.isVisible) return undefined;
    path.unshift(step);
    next = step.parentId;
  }
  const service = path.at(-1);
  const isOffered = and(eq(paymentTypes.name, paymentTypeName), eq(paymentTypes.isActive, true));
  const [paymentType] = await tx.select().from(paymentTypes).where(isOffered);
  // The order of the bench has no commission by ranges.
  if (!service?.isFinalLevel || !paymentType || service.commissionType === 'range') return undefined;
  const listed = path.findLast(({ price }) => price)?.price ?? '0';
  const rule = { type: service.commissionType, value: service.commissionValue };
  const { amount, commission, total } = priceOf(Number(listed.replace(/\D/g, '')), rule);
  if (total !== order.totalPrice) return undefined;
  const values = { total, beneficiary: beneficiaryPhoneNumber.slice(4), serviceId: service.id };
  const [filed] = await tx
    .insert(tickets)
    .values({
      userId,
      serviceId: service.id,
      paymentTypeId: paymentType.id,
      paymentTypeName,
      amount,
      commission,
      totalPrice: String(total),
      servicePath: path.map(({ id, name, price, level }) => ({ id, name, price, level })),
      beneficiaryPhoneNumber,
      dialCode: service.phoneNumber && fillDialTemplate(service.phoneNumber, values),
      fingerprint: '',
    })
    .returning();
  if (filed) await tx.insert(ticketEvents).values({ ticketId: filed.id, status: filed.status, actorId: userId });
  return filed;
}

const server = app.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as { port: number }).port });
});
