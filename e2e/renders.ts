import type { Page } from '@playwright/test';

/** React's renders: how many, and of how many components. */
export interface Drawn {
  times: number;
  components: number;
}

/** The used part of React's internal tree, which React reports to its developer tools' hook. */
interface Fiber {
  tag: number;
  flags: number;
  child: Fiber | null;
  sibling: Fiber | null;
  alternate: Fiber | null;
}

/** Counts React's renders in this page from its next load on. */
export async function countRenders(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const drawn = { times: 0, components: 0 };
    // Function components, plain and memoized.
    const isComponent = ({ tag }: Fiber) => tag === 0 || tag === 14 || tag === 15;
    // A skipped component is the same object as before; a rendered one has React's PerformedWork flag.
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
      // React also checks for deferred work (useDeferredValue) without rendering a component.
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

/** The renders during an action. */
export async function drawnDuring(page: Page, act: () => Promise<unknown>): Promise<Drawn> {
  const read = () => page.evaluate(() => ({ ...(window as unknown as { drawn: Drawn }).drawn }));
  const before = await read();
  await act();
  const after = await read();
  return { times: after.times - before.times, components: after.components - before.components };
}
