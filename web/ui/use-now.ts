import { useEffect, useState } from 'react';
import { clockTickMs } from './limits.ts';

/** What time it is, in milliseconds; what reads it is drawn again as time goes by. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), clockTickMs);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** The day that it is, by its first moment; what reads it is drawn again when another day begins. */
export function useToday(): Date {
  const [today, setToday] = useState(startOfToday);
  useEffect(() => {
    const timer = setInterval(() => setToday(startOfToday), clockTickMs);
    return () => clearInterval(timer);
  }, []);
  return new Date(today);
}

const startOfToday = () => new Date().setHours(0, 0, 0, 0);
