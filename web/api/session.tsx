import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { readMe } from '#contract/auth.ts';
import type { Endpoint, ResponseOf } from '#contract/endpoint.ts';
import type { User } from '#contract/users.ts';
import { call, type InputOf } from './client.ts';

/** Where the signed-in user is remembered; it decides only what is drawn, never what is allowed. */
export const storedUserKey = 'guichet_user';

interface Auth {
  user: User | undefined;
  /** True until the stored user has been read. */
  loading: boolean;
  /** Sets and stores the user; nobody removes the stored entry. */
  setUser: (user: User | undefined) => void;
  call: <E extends Endpoint>(endpoint: E, input: InputOf<E>) => Promise<ResponseOf<E>>;
}

const AuthContext = createContext<Auth | undefined>(undefined);

/** The user this browser remembers; an entry that is none is removed. */
export function readStoredUser(): User | undefined {
  const stored = localStorage.getItem(storedUserKey);
  if (!stored) return undefined;
  try {
    const user = JSON.parse(stored) as User | null;
    if (typeof user?.id === 'number' && typeof user.firstName === 'string') return user;
  } catch {
    // Removed below, like any other entry that is no user.
  }
  localStorage.removeItem(storedUserKey);
  return undefined;
}

export function AuthProvider({ children }: { children: ReactNode }) {
  const [{ user, loading }, setState] = useState<{ user: User | undefined; loading: boolean }>({
    user: undefined,
    loading: true,
  });
  /** Counts who is signed in: an answer to a call of somebody before changes nothing any more. */
  const generation = useRef(0);
  const change = useCallback((next: User | undefined) => {
    generation.current += 1;
    setState({ user: next, loading: false });
  }, []);
  const setUser = useCallback(
    (next: User | undefined) => {
      if (next) localStorage.setItem(storedUserKey, JSON.stringify(next));
      else localStorage.removeItem(storedUserKey);
      change(next);
    },
    [change],
  );
  const userId = user?.id;
  const callAsUser = useCallback(
    <E extends Endpoint>(endpoint: E, input: InputOf<E>) => {
      const asked = generation.current;
      const onSignedOut = () => {
        if (generation.current === asked) setUser(undefined);
      };
      return call(endpoint, input, { userId, onSignedOut });
    },
    [userId, setUser],
  );

  useEffect(() => {
    const stored = readStoredUser();
    change(stored);
    if (!stored) return;
    const asked = generation.current;
    const ifStill = (next: User | undefined) => {
      if (generation.current === asked) setUser(next);
    };
    // The server may know better by now (verified, renamed, signed out); without an answer the stored user stays.
    call(readMe, {}, { userId: stored.id, onSignedOut: () => ifStill(undefined) })
      .then((answer) => ifStill(answer.user))
      .catch(() => {});
  }, [change, setUser]);

  useEffect(() => {
    const follow = (event: StorageEvent) => {
      if (event.key === storedUserKey) change(readStoredUser());
    };
    addEventListener('storage', follow);
    return () => removeEventListener('storage', follow);
  }, [change]);

  const auth = useMemo(() => ({ user, loading, setUser, call: callAsUser }), [user, loading, setUser, callAsUser]);
  return <AuthContext value={auth}>{children}</AuthContext>;
}

export function useAuth(): Auth {
  const auth = use(AuthContext);
  if (!auth) throw new Error('useAuth must be used within an AuthProvider');
  return auth;
}
