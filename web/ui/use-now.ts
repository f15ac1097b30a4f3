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
