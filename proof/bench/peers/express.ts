import connectPgSimple from 'connect-pg-simple';
import { and, count, desc, eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import express, { type NextFunction, type Request, type Response } from 'express';
import session from 'express-session';
import pg from 'pg';
import * as z from 'zod';
import { fillDialTemplate } from '../../../contract/dial-code.ts';
import { type CommissionRule, priceOf } from '../../../contract/pricing.ts';
import { commissionRanges, services } from '../../../server/features/catalogue/tables.ts';
import { paymentTypes } from '../../../server/features/payment-types/tables.ts';
import { ticketEvents, tickets } from '../../../server/features/tickets/tables.ts';
import { users } from '../../../server/features/users/tables.ts';
import { databaseLimits } from '../../../server/process/limits.ts';

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

const pool = new pg.Pool({ max: databaseLimits.connections });
const db = drizzle(pool, { casing: 'snake_case' });
const app = express();
app.disable('x-powered-by');
app.use(express.json());
app.use(
  session({
    store: new (connectPgSimple(session))({
      pool,
      createTableIfMissing: true,
      disableTouch: true,
      pruneSessionInterval: false,
    }),
    secret: process.env.SESSION_SECRET ?? '',
    resave: false,
    saveUninitialized: false,
    cookie: { maxAge: 30 * 86_400_000, sameSite: 'lax' },
  }),
);

interface Signed extends Response {
  locals: { user: typeof users.$inferSelect };
}

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

function requireOwn(request: Request, response: Response, next: NextFunction) {
  const { user } = (response as Signed).locals;
  if (user.id === Number(request.params.userId) || user.isAdmin) next();
  else response.status(403).json({ message: 'Accès refusé.' });
}

const present = ({ idempotencyKey, fingerprint, pathId, ...ticket }: typeof tickets.$inferSelect) => ticket;

app.get('/api/tickets/user/:userId', requireUser, requireOwn, async (request, response) => {
  const limit = Math.min(Number(request.query.limit ?? 100), 1_000);
  const theirs = eq(tickets.userId, Number(request.params.userId));
  const rows = await db.select().from(tickets).where(theirs).orderBy(desc(tickets.id)).limit(limit);
  const [total] = await db.select({ count: count() }).from(tickets).where(theirs);
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
  const { user } = (response as Signed).locals;
  const parsed = orderShape.safeParse(request.body);
  if (!parsed.success) {
    response.status(400).json({ message: 'Requête invalide.' });
    return;
  }
  const order = parsed.data;
  const ticket = await db.transaction(async (tx) => {
    const path = [];
    let next: number | null = order.serviceId;
    while (next !== null) {
      const [step] = await tx.select().from(services).where(eq(services.id, next));
      if (!step?.isVisible) return undefined;
      path.unshift(step);
      next = step.parentId;
    }
    const service = path.at(-1);
    const [paymentType] = await tx
      .select()
      .from(paymentTypes)
      .where(and(eq(paymentTypes.name, order.paymentTypeName), eq(paymentTypes.isActive, true)));
    if (!service?.isFinalLevel || !paymentType) return undefined;
    const listed = path.findLast(({ price }) => price)?.price ?? '0';
    const price = priceOf(Number(listed.replace(/\D/g, '')), await ruleOf(tx, service));
    if (price.total !== order.totalPrice) return undefined;
    const [filed] = await tx
      .insert(tickets)
      .values({
        userId: user.id,
        serviceId: service.id,
        paymentTypeId: paymentType.id,
        paymentTypeName: paymentType.name,
        amount: price.amount,
        commission: price.commission,
        totalPrice: String(price.total),
        servicePath: path.map(({ id, name, price: text, level }) => ({ id, name, price: text, level })),
        beneficiaryPhoneNumber: order.beneficiaryPhoneNumber,
        dialCode:
          service.phoneNumber &&
          fillDialTemplate(service.phoneNumber, {
            total: price.total,
            beneficiary: order.beneficiaryPhoneNumber.slice(4),
            serviceId: service.id,
          }),
        fingerprint: '',
      })
      .returning();
    if (filed) await tx.insert(ticketEvents).values({ ticketId: filed.id, status: filed.status, actorId: user.id });
    return filed;
  });
  if (ticket) response.status(201).json(present(ticket));
  else response.status(409).json({ message: "Ce service n'est plus proposé ainsi." });
});

async function ruleOf(tx: Pick<typeof db, 'select'>, service: typeof services.$inferSelect): Promise<CommissionRule> {
  if (service.commissionType !== 'range') return { type: service.commissionType, value: service.commissionValue };
  const ranges = await tx.select().from(commissionRanges).where(eq(commissionRanges.serviceId, service.id));
  return {
    type: 'range',
    ranges: ranges.map(({ minPrice, maxPrice, commissionType, commissionValue }) => ({
      minPrice,
      maxPrice,
      rate: { type: commissionType, value: Number(commissionValue) },
    })),
  };
}

const server = app.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as { port: number }).port });
});
