import type { Page } from '@playwright/test';

/** What React did: how often it drew, and how many components it ran for it. */
export interface Drawn {
  times: number;
  components: number;
}

/** What is read here of React's own tree; React tells of it whoever stands where its developer tools do. */
interface Fiber {
  tag: number;
  flags: number;
  child: Fiber | null;
  sibling: Fiber | null;
  alternate: Fiber | null;
}

/** Counts what React draws in this page from its next load on. */
export async function countRenders(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const drawn = { times: 0, components: 0 };
    // Function components, and those that are kept while what they are given is the same.
    const isComponent = ({ tag }: Fiber) => tag === 0 || tag === 14 || tag === 15;
    // What was skipped is the same object as before; what ran has React's flag for work that was done.
    const count = (now: Fiber, before: Fiber | null): number => {
      if (now === before) return 0;
      let ran = isComponent(now) && (!before || now.flags & 1) ? 1 : 0;
      if (now.child !== before?.child)
        for (let child = now.child; child; child = child.sibling) ran += count(child, child.alternate);
      return ran;
    };
    const onCommitFiberRoot = (_: number, { current }: { current: Fiber }) => {
      const ran = count(current, current.alternate);
      drawn.components += ran;
      // It also looks whether what was put off, as by useDeferredValue, is still to be done, and runs nothing.
      if (ran > 0) drawn.times += 1;
    };
    const nothing = () => {};
    Object.assign(window, {
      drawn,
      __REACT_DEVTOOLS_GLOBAL_HOOK__: {
        supportsFiber: true,
        renderers: new Map(),
        checkDCE: nothing,
        inject: () => 1,
        onCommitFiberRoot,
        onCommitFiberUnmount: nothing,
        onPostCommitFiberRoot: nothing,
      },
    });
  });
}

/** What React drew while something was done. */
export async function drawnDuring(page: Page, act: () => Promise<unknown>): Promise<Drawn> {
  const read = () => page.evaluate(() => ({ ...(window as unknown as { drawn: Drawn }).drawn }));
  const before = await read();
  await act();
  const after = await read();
  return { times: after.times - before.times, components: after.components - before.components };
}
