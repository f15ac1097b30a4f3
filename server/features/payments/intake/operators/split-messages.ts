import { messagesAtOnce } from '#contract/payments.ts';
import { fold } from './patterns.ts';
import { type ReadingContext, readMessage } from './read-message.ts';

/** Text lines that identify the beginning of every known message. */
const linesOfBeginning = 3;
/** Blocks of one message: Telecel's has a blank line inside, and the parts of an SMS may be pasted separately. */
const blocksOfMessage = 3;

/** Splits a pasted text at blank lines and at beginnings of known messages; answers the first `messagesAtOnce` messages. */
export function splitMessages(text: string, context: ReadingContext): string[] {
  const patterns = context.operators.flatMap(({ messages }) => messages.map(({ pattern }) => pattern));
  const begins = (start: string) => {
    const folded = fold(start);
    return patterns.some((pattern) => pattern.begins(folded));
  };
  const lines = text.split(/\r\n?|\n/).map((line) => line.trim());
  const blocks: string[] = [];
  for (const [index, line] of lines.entries()) {
    if (blocks.length > messagesAtOnce * blocksOfMessage) break;
    const isNew = !lines[index - 1] || begins(lines.slice(index, index + linesOfBeginning).join(' '));
    if (line) blocks.push(isNew ? line : `${blocks.pop()}\n${line}`);
  }
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
