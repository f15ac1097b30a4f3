import { useEffect, useState } from 'react';
import { clockTickMs } from './limits.ts';

/** A value of the clock; its readers render again when it has changed at a periodic check. */
function useClock(read: () => number): number {
  const [value, setValue] = useState(read);
  useEffect(() => {
    const timer = setInterval(() => setValue(read), clockTickMs);
    return () => clearInterval(timer);
  }, [read]);
  return value;
}

const startOfToday = () => new Date().setHours(0, 0, 0, 0);

export const useNow = (): number => useClock(Date.now);

/** Midnight of today. */
export const useToday = (): Date => new Date(useClock(startOfToday));
