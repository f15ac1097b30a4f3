import { useEffect, useState } from 'react';
import { clockTickMs } from './limits.ts';

/** A value of the clock, read periodically and when the page is shown: a timer for a time of day would sleep with the machine. */
function useClock(read: () => number, everyMs = clockTickMs): number {
  const [value, setValue] = useState(read);
  useEffect(() => {
    const look = () => setValue(read);
    const timer = setInterval(look, everyMs);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [read, everyMs]);
  return value;
}

const startOfToday = () => new Date().setHours(0, 0, 0, 0);

export const useNow = (everyMs?: number): number => useClock(Date.now, everyMs);

/** Midnight of today. */
export const useToday = (everyMs?: number): Date => new Date(useClock(startOfToday, everyMs));
