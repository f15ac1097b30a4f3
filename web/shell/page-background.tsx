import { readPageBackground, type PageBackground as Settings } from '#contract/page-background.ts';
import { useAnswer } from '#web/api/use-answer.tsx';
import { Chunk, part } from './chunk.tsx';

/** Loaded only if an operator set a picture. */
const picture = part<{ settings: Settings; className: string; 'data-testid': string }>(
  () => import('./background-picture.tsx'),
);

/** The operator's picture behind everything; nothing without one or without an answer. */
export function PageBackground() {
  const { data } = useAnswer(readPageBackground, {});
  const given = data && { settings: data, className: 'page-background fixed', 'data-testid': 'page-background' };
  return data?.backgroundImage && <Chunk of={picture} given={given} waiting={null} isOrnament />;
}
