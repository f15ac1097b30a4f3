import { expect, test } from 'vitest';
import { Ends } from './stage.ts';

test('everything ends once, the newest first, each when the one before is done', async () => {
  const ends = new Ends();
  const log: string[] = [];
  const slowly = (name: string) => async () => {
    log.push(`${name} ends`);
    await new Promise(setImmediate);
    log.push(`${name} is gone`);
  };
  ends.add(slowly('folder'));
  const endEarly = ends.add(slowly('database'));
  ends.add(slowly('server'));
  await endEarly();
  await endEarly();
  // As a signal does while a bench ends by itself.
  await Promise.all([ends.all(), ends.all()]);
  expect(log).toEqual([
    'database ends',
    'database is gone',
    'server ends',
    'server is gone',
    'folder ends',
    'folder is gone',
  ]);
});
