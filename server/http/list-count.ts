import type { FastifyReply } from 'fastify';

/** How many rows a list has in all; `capped` when counting stopped at `total`. */
export interface ListCount {
  total: number;
  capped: boolean;
}

/** Tells how long a list is. */
export function answerCount(reply: FastifyReply, { total, capped }: ListCount): void {
  reply.header('x-total-count', total);
  if (capped) reply.header('x-total-count-capped', 'true');
}
