import { createContext, use } from 'react';
import type { Endpoint } from '#contract/endpoint.ts';

/** Refetches every displayed answer of endpoints. */
type Refresh = (...endpoints: readonly Endpoint[]) => Promise<unknown>;

/** `QueryProvider` provides it. The first screen displays no answer, and loads no React Query. */
export const RefreshContext = createContext<Refresh>(async () => {});

export const useRefresh = (): Refresh => use(RefreshContext);
