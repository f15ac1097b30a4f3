import { useLocation } from 'wouter';
import type { User } from '#contract/users.ts';
import { useAuth } from '#web/api/session.tsx';
import { readChosenPath, updateChosenPath } from '#web/chosen-path.ts';
import { paths } from '#web/paths.ts';

/** Makes a person the signed-in one and brings them home, or back to the request they were making as a guest. */
export function useEnter() {
  const { setUser } = useAuth();
  const [, navigate] = useLocation();
  return (user: User) => {
    const resume = readChosenPath()?.resume;
    if (resume) updateChosenPath({ resume: false });
    setUser(user);
    navigate(resume ? paths.summary : paths.home);
  };
}
