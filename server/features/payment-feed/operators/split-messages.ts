import { messagesAtOnce } from '#contract/payments.ts';
import { fold } from './fold.ts';
import { type ReadingContext, readMessage } from './read-message.ts';

/** As many lines tell the beginning of each known message. */
const linesOfBeginning = 3;
/** Telecel's message has a blank line inside; parts of one SMS may be pasted apart. */
const blocksOfMessage = 3;

const date = String.raw`(?:\d{1,4}[/.-]\d{1,2}[/.-]\d{2,4}|\d{1,2} \p{L}{3,9}\.?(?: \d{4})?|aujourd['’]hui|hier)`;
const time = String.raw`\d{1,2}[:h]\d{2}(?::\d{2})?`;

/**
 * The messages in a pasted text, the first `messagesAtOnce` of them. They are told apart by blank lines, by headers of
 * phone apps (a known sender, or a date with a time), which are left out, and where a line starts a known message.
 */
export function splitMessages(text: string, context: ReadingContext): string[] {
  const patterns = context.operators.flatMap((operator) => operator.messages.map(({ pattern }) => pattern));
  const begins = (start: string) => {
    const folded = fold(start);
    return patterns.some((pattern) => pattern.begins(folded));
  };
  const blocks = blocksOf(text, headerOf(context), begins);
  const messages: string[] = [];
  while (blocks.length > 0 && messages.length < messagesAtOnce) {
    const joined = Array.from({ length: blocksOfMessage }, (_, more) => blocks.slice(0, more + 1).join('\n\n'));
    const whole = begins(joined[0] ?? '')
      ? joined.findIndex((each) => readMessage(each, context).kind !== 'unread')
      : 0;
    messages.push(joined[Math.max(whole, 0)] ?? '');
    blocks.splice(0, Math.max(whole, 0) + 1);
  }
  return messages;
}

function blocksOf(text: string, header: RegExp, begins: (start: string) => boolean): string[] {
  const lines = text.split(/\r\n?|\n/);
  const blocks: string[] = [];
  let open = false;
  for (const [index, line] of lines.entries()) {
    if (blocks.length > messagesAtOnce * blocksOfMessage) break;
    const startsWith = (first: string) =>
      begins([first, ...lines.slice(index + 1, index + linesOfBeginning)].join(' '));
    const rest = line.replace(header, '');
    const headed = rest !== line && (rest.trim() === '' || startsWith(rest));
    const kept = (headed ? rest : line).trim();
    if (kept && open && !headed && !startsWith(kept)) blocks.push(`${blocks.pop()}\n${kept}`);
    else if (kept) blocks.push(kept);
    open = kept !== '';
  }
  return blocks;
}

/** What a phone app writes before a message: a known sender, a date with a time, or both. */
function headerOf({ operators }: ReadingContext): RegExp {
  const senders = operators.flatMap((operator) =>
    operator.senders.map((name) =>
      name.replace(/[^\p{L}\p{N} ]/gu, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`),
    ),
  );
  const gap = String.raw`[\s,;:\]()-]*`;
  const when = String.raw`\[?${date}[\s,]*(?:[aà]\s+)?${time}`;
  const who = String.raw`(?:(?:de|from)\s*:?\s*)?(?:${senders.join('|')})(?![\p{L}\p{N}])`;
  return new RegExp(`^\\s*(?:${when}${gap}(?:${who}${gap})?|${who}${gap}(?:${when}${gap})?)`, 'iu');
}
