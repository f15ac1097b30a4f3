import { readPageBackground } from '#contract/page-background.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useAnswer } from '#web/api/use-answer.tsx';

/** The operator's picture behind everything; nothing at all without one, or without an answer. */
export function PageBackground() {
  const { data: settings } = useAnswer(readPageBackground, {}, pollEveryMs.pageBackground);
  if (!settings?.backgroundImage) return null;
  return (
    <div
      aria-hidden="true"
      data-testid="page-background"
      className="pointer-events-none fixed inset-0 -z-10 bg-center bg-cover"
      style={{
        backgroundImage: `url("${settings.backgroundImage}")`,
        opacity: settings.opacity / 100,
        filter: `blur(${settings.blur}px)`,
      }}
    />
  );
}
