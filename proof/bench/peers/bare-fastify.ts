import Fastify from 'fastify';

/**
 * The limit of polls: a Fastify route with its default options and nothing else, which has its answer ready. It compares the
 * ETag and answers 304 with the headers that the product's answer has; it looks at no cookie and at no database.
 */
export interface Ready {
  etag: string;
  headers: Record<string, string>;
  body: string;
}

process.once('disconnect', () => process.exit());
process.once('message', async ({ etag, headers, body }: Ready) => {
  const app = Fastify();
  app.get('/api/*', (request, reply) => {
    reply.headers(headers).header('etag', etag);
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    return reply.type('application/json; charset=utf-8').send(body);
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  process.send?.({ port: (app.server.address() as { port: number }).port });
});
