import { useEffect, useState } from 'react';
import type { Endpoint, ResponseOf } from '#contract/endpoint.ts';
import { addressOf, type InputOf } from './client.ts';
import { useCall } from './use-call.ts';

/** Reads once what is the same for everyone, without React Query, which no first screen loads. Neither property is there before the answer. */
export function useAnswer<E extends Endpoint & { access: 'anyone' }>(
  endpoint: E,
  input: InputOf<E>,
): { data?: ResponseOf<E>; error?: unknown } {
  const call = useCall();
  const address = addressOf(endpoint, input);
  const [answer, setAnswer] = useState<{ of?: string; data?: ResponseOf<E>; error?: unknown }>({});
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address says what is read
  useEffect(() => {
    let left = false;
    call(endpoint, input).then(
      (data) => left || setAnswer({ of: address, data }),
      (error: unknown) => left || setAnswer({ of: address, error }),
    );
    return () => {
      left = true;
    };
  }, [call, address]);
  return answer.of === address ? answer : {};
}
