import { useEffect, useState } from 'react';
import { clockTickMs } from './limits.ts';

/** The current time in milliseconds; its readers render again periodically. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), clockTickMs);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** Midnight of today; its readers render again when the day changes. */
export function useToday(): Date {
  const [today, setToday] = useState(startOfToday);
  useEffect(() => {
    const timer = setInterval(() => setToday(startOfToday), clockTickMs);
    return () => clearInterval(timer);
  }, []);
  return new Date(today);
}

const startOfToday = () => new Date().setHours(0, 0, 0, 0);
