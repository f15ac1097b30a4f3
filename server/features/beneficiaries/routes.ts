import type { FastifyInstance } from 'fastify';
import * as endpoints from '#contract/beneficiaries.ts';
import { Failure } from '#contract/failure.ts';
import type { Db } from '#server/database/connect.ts';
import { requirePhone } from '#server/features/users/require-phone.ts';
import { route } from '#server/http/route.ts';
import { deleteBeneficiary, listBeneficiaries, saveBeneficiary } from './store.ts';

export function beneficiaryRoutes(app: FastifyInstance, { db }: { db: Db }): void {
  route(app, endpoints.listBeneficiaries, async ({ caller }) => listBeneficiaries(db, caller.userId), {
    skipResponseEncoding: true,
  });

  route(app, endpoints.saveBeneficiary, async ({ params, body, caller }) => {
    const phone = requirePhone(params.phone, caller.countryCode);
    const saved = await saveBeneficiary(db, caller.userId, { phone, name: body.name });
    if (!saved) throw new Failure('BENEFICIARIES_FULL');
    return saved;
  });

  route(app, endpoints.deleteBeneficiary, async ({ params, caller }) => {
    await deleteBeneficiary(db, caller.userId, params.phone);
    return { message: "Ce numéro n'a plus de nom." };
  });
}
