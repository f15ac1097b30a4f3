import { afterAll, expect, test } from 'vitest';
import { signUpBody } from '#server/testing/auth-steps.ts';
import { eventually } from '#server/testing/eventually.ts';
import { infobipKeys, startInfobip } from '#server/testing/gateways/infobip.ts';
import {
  cleanUp,
  createDataFolder,
  HttpClient,
  otherLimits,
  query,
  startServer,
} from '#server/testing/server-process.ts';

afterAll(cleanUp);

test('a process that is killed between sending a message and noting it leaves one that is sent once', async () => {
  const infobip = await startInfobip();
  const folder = createDataFolder();
  const settings = {
    SMS_PROVIDER: 'infobip',
    INFOBIP_URL: infobip.url,
    INFOBIP_API_KEY: infobipKeys.apiKey,
    INFOBIP_SENDER: infobipKeys.sender,
    // What it had in hand goes to the next one soon.
    ...otherLimits({ 'limits.ts': { jobLimits: { leaseSeconds: 2, renewMs: 500 } } }),
  };
  const phone = '+22670100001';
  infobip.behave(phone, 'swallows');
  const first = await startServer(folder, settings);
  const { status } = await new HttpClient(first.port).send('POST', '/api/auth/signup', signUpBody(phone));
  expect(status).toBe(201);
  await eventually(() => expect(infobip.held()).toBe(1));
  await first.end('SIGKILL');

  infobip.behave(phone, 'takes');
  const second = await startServer(folder, settings);
  await eventually(async () =>
    expect(await query(folder, 'select status, provider, body from sms_messages')).toEqual([
      { status: 'sent', provider: 'infobip', body: null },
    ]),
  );
  expect(infobip.askedFor(phone)).toHaveLength(1);
  expect(infobip.strange).toEqual([]);
  await second.end('SIGTERM');
  await infobip.close();
});
