import {
  createContext,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { readMe } from '#contract/auth.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import type { User } from '#contract/users.ts';
import { type InputOf, type RequestOptions, call as request } from '#web/api/client.ts';
import { type ApiCall, ApiContext } from '#web/api/use-call.ts';
import { useToast } from '#web/ui/toast.tsx';
import { keepReturnAddress } from './return-address.ts';
import { readStoredUser, storedUserKey, storeUser } from './stored-user.ts';

interface Auth {
  user: User | undefined;
  /** True until the stored user has been read. */
  loading: boolean;
  /** Sets and stores the user; without one it removes the stored entry, which signs out this browser. */
  setUser: (user: User | undefined) => void;
}

/** The stored user is available before the first effect. */
const currentUserId = () => readStoredUser()?.id;

const AuthContext = createContext<Auth | undefined>(undefined);

/**
 * Holds the signed-in person and provides calls in their name. A 401 "not signed in" ends the session and shows a
 * toast.
 */
export function AuthProvider({ children }: { children: ReactNode }) {
  const [{ user, loading }, setState] = useState<{ user: User | undefined; loading: boolean }>({
    user: undefined,
    loading: true,
  });
  /** Counts changes of the signed-in person: an answer to an earlier person's call changes nothing. */
  const generation = useRef(0);
  const answers = useRef<RequestOptions['answers']>(new Map());
  const change = useCallback((next: User | undefined) => {
    generation.current += 1;
    if (!next) answers.current.clear();
    setState({ user: next, loading: false });
  }, []);
  const setUser = useCallback(
    (next: User | undefined) => {
      storeUser(next);
      change(next);
    },
    [change],
  );
  const toast = useToast();
  /** Handles the end of a session: once, and only if no other person signed in since. */
  const endSession = useCallback(
    (asked: number) => {
      if (generation.current !== asked || !readStoredUser()) return;
      keepReturnAddress();
      setUser(undefined);
      toast({ title: 'Session expirée', description: 'Veuillez vous reconnecter.', destructive: true });
    },
    [setUser, toast],
  );
  const read = useCallback(
    <E extends Endpoint>(endpoint: E, input: InputOf<E>) => {
      const asked = generation.current;
      return request(endpoint, input, {
        answers: answers.current,
        currentUserId,
        onSignedOut: () => endSession(asked),
      });
    },
    [endSession],
  );

  // Before the first paint, so that only the right screen is drawn.
  useLayoutEffect(() => {
    const stored = readStoredUser();
    change(stored);
    if (!stored) return;
    const asked = generation.current;
    // The server may have newer data (verified, renamed, signed out); without an answer the stored user stays.
    read(readMe, {})
      .then(({ data }) => {
        if (generation.current === asked) setUser(data.user);
      })
      .catch(() => {});
  }, [change, setUser, read]);

  useEffect(() => {
    const follow = (event: StorageEvent) => {
      if (event.key === storedUserKey) change(readStoredUser());
    };
    addEventListener('storage', follow);
    return () => removeEventListener('storage', follow);
  }, [change]);

  const userId = user?.id;
  const auth = useMemo(() => ({ user, loading, setUser }), [user, loading, setUser]);
  const call = useCallback<ApiCall>(async (endpoint, input) => (await read(endpoint, input)).data, [read]);
  const calls = useMemo(() => ({ call, read, userId, currentUserId }), [call, read, userId]);
  return (
    <AuthContext value={auth}>
      <ApiContext value={calls}>{children}</ApiContext>
    </AuthContext>
  );
}

export function useAuth(): Auth {
  const auth = use(AuthContext);
  if (!auth) throw new Error('useAuth must be used within an AuthProvider');
  return auth;
}
