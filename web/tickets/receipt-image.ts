import type { Ticket } from '#contract/tickets.ts';
import { receiptTitle, ticketStatusLabel } from '#web/text/tickets.ts';
import { receiptLines, withoutAddress } from './receipt.ts';

/** In pixels, as all sizes here; three are one of a phone's screen. */
const imageWidth = 1080;
const [margin, padding, stripe] = [48, 56, 36];
const left = margin + padding;
const right = imageWidth - left;
const inner = right - left;

const letters = { size: 38, weight: 700, family: 'ui-monospace, "Roboto Mono", Menlo, monospace' };

/** Something drawn across the image, one below the other. */
interface Block {
  height: number;
  draw: (top: number) => void;
}

/** A receipt as a PNG image, always light. Throws where the browser cannot make one. */
export async function drawReceipt(ticket: Ticket, address: string | undefined): Promise<File> {
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d');
  if (!context) throw new Error('no canvas');
  const colours = readPaper();
  const { text, row, badge, rule, tear, space } = makeBlocks(context, colours);
  const lines = receiptLines(ticket);
  const [, total = ''] = lines.at(-1) ?? [];
  const facts = lines.slice(0, -1).filter(([name]) => name !== 'Statut');
  const head = [space(40), text('Guichet', { size: 64, weight: 800, colour: colours.leaf }), space(28)];
  const body = [
    space(padding),
    text(receiptTitle(ticket.id), { size: 46, weight: 700 }),
    space(20),
    badge(ticketStatusLabel(ticket.status).label),
    space(28),
    ...facts.flatMap(([name, value]) => [row(name, value), space(14)]),
    space(10),
    rule,
    space(28),
    text('Total', { size: 38, weight: 700 }),
    text(total, { size: 84, weight: 800, colour: colours.leaf }),
    space(28),
    tear,
    space(28),
    ...(address
      ? [
          text('Pour vérifier ce reçu, ouvrez cette adresse\u00a0:', { size: 32, colour: colours.soft }),
          space(8),
          text(new URL(address).origin, letters),
          text(new URL(address).pathname, letters),
        ]
      : [text(withoutAddress, { size: 32, weight: 600, colour: colours.amber })]),
    space(padding),
  ];
  const heightOf = (blocks: readonly Block[]) => blocks.reduce((sum, { height }) => sum + height, 0);
  const cardTop = stripe + heightOf(head);
  const cardHeight = heightOf(body);

  // Setting a size empties the canvas, and resets its fonts and colours.
  canvas.width = imageWidth;
  canvas.height = cardTop + cardHeight + margin;
  context.fillStyle = colours.ground;
  context.fillRect(0, 0, canvas.width, canvas.height);
  weave(context);
  drawCard(context, colours, { top: cardTop, height: cardHeight });
  let top = stripe;
  for (const { height, draw } of [...head, ...body]) {
    draw(top);
    top += height;
  }
  const image = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (!image) throw new Error('no image');
  return new File([image], `recu-${ticket.id}.png`, { type: 'image/png' });
}

function drawCard(context: CanvasRenderingContext2D, colours: Colours, card: { top: number; height: number }): void {
  context.beginPath();
  context.roundRect(margin, card.top, imageWidth - 2 * margin, card.height, 40);
  context.fillStyle = colours.card;
  context.fill();
  context.strokeStyle = colours.line;
  context.lineWidth = 3;
  context.stroke();
}

const names = ['ground', 'card', 'line', 'ink', 'soft', 'leaf', 'leaf-dark', 'leaf-pale', 'amber'] as const;
type Colours = Record<(typeof names)[number], string>;

/** The colours of the light theme, and of no other. */
function readPaper(): Colours {
  const paper = document.createElement('div');
  paper.className = 'paper';
  document.body.append(paper);
  const style = getComputedStyle(paper);
  const colours = names.map((name) => [name, style.getPropertyValue(`--color-${name}`).trim()]);
  paper.remove();
  return Object.fromEntries(colours);
}

interface Look {
  size: number;
  weight?: number;
  colour?: string;
  family?: string;
  align?: 'left' | 'right';
}

function makeBlocks(context: CanvasRenderingContext2D, colours: Colours) {
  const { fontFamily } = getComputedStyle(document.body);
  const use = ({ size, weight = 400, colour = colours.ink, family = fontFamily, align = 'left' }: Look) => {
    context.font = `${weight} ${size}px ${family}`;
    context.fillStyle = colour;
    context.textAlign = align;
  };
  const measure = (text: string) => context.measureText(text).width;

  const text = (words: string, look: Look): Block => {
    use(look);
    const lines = wrapText(words, inner, measure);
    const lineHeight = Math.round(look.size * 1.35);
    return {
      height: lines.length * lineHeight,
      draw: (top) => {
        use(look);
        const x = look.align === 'right' ? right : left;
        for (const [index, line] of lines.entries()) context.fillText(line, x, top + index * lineHeight + look.size);
      },
    };
  };
  /** A name and its value, on one line where they fit. */
  const row = (name: string, value: string): Block => {
    const label = text(name, { size: 34, colour: colours.soft });
    use({ size: 34 });
    const fits = measure(`${name}   ${value}`) <= inner;
    const content = text(value, { size: 34, weight: 500, align: fits ? 'right' : 'left' });
    return {
      height: fits ? content.height : label.height + content.height,
      draw: (top) => {
        label.draw(top);
        content.draw(fits ? top : top + label.height);
      },
    };
  };
  const badge = (label: string): Block => ({
    height: 60,
    draw: (top) => {
      use({ size: 32, weight: 700, colour: colours['leaf-dark'] });
      const length = measure(label) + 56;
      context.beginPath();
      context.roundRect(left, top, length, 60, 30);
      context.fillStyle = colours['leaf-pale'];
      context.fill();
      context.fillStyle = colours['leaf-dark'];
      context.fillText(label, left + 28, top + 41);
    },
  });
  const rule: Block = {
    height: 3,
    draw: (top) => {
      context.fillStyle = colours.line;
      context.fillRect(left, top, inner, 3);
    },
  };
  const space = (height: number): Block => ({ height, draw: () => {} });
  return { text, row, badge, rule, tear: tearAcross(context, colours), space };
}

/** Where the ticket tears: a notch at each side of the card, and dashes between. */
const tearAcross = (context: CanvasRenderingContext2D, colours: Colours): Block => ({
  height: 54,
  draw: (top) => {
    const y = top + 27;
    context.fillStyle = colours.ground;
    // Larger than the card's border, which ends at the notch.
    for (const [x, from] of [
      [margin - 3, -Math.PI / 2],
      [imageWidth - margin + 3, Math.PI / 2],
    ] as const) {
      context.beginPath();
      context.arc(x, y, 27, from, from + Math.PI);
      context.fill();
      context.stroke();
    }
    context.beginPath();
    context.setLineDash([14, 12]);
    context.moveTo(left, y);
    context.lineTo(right, y);
    context.stroke();
    context.setLineDash([]);
  },
});

/** The brand's stripe, as `.woven` of admin.css, three times as large. */
function weave(context: CanvasRenderingContext2D): void {
  const bands =
    '#1f2f5c 18 #f7f1e6 2 #0b6b3a 18 #f7f1e6 2 #d98a1f 6 #f7f1e6 2 #8f1d2c 10 #f7f1e6 2 #d98a1f 6 #f7f1e6 2';
  const pattern = `${bands} #0b6b3a 18 #f7f1e6 2`.split(' ');
  for (let x = 0, band = 0; x < imageWidth; band = (band + 2) % pattern.length) {
    const size = 3 * Number(pattern[band + 1]);
    context.fillStyle = `${pattern[band]}`;
    context.fillRect(x, 0, size, stripe);
    x += size;
  }
  context.fillStyle = 'rgb(255 255 255 / 0.22)';
  for (let y = 0; y < stripe; y += 6) context.fillRect(0, y, imageWidth, 3);
}

/** Breaks a text into lines of at most `width`: between words, and within a word that is wider than a line. */
export function wrapText(text: string, width: number, measure: (text: string) => number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line ? `${line} ${word}` : word;
    if (measure(longer) <= width) {
      line = longer;
      continue;
    }
    if (line) lines.push(line);
    line = '';
    for (const character of word) {
      if (line && measure(line + character) > width) {
        lines.push(line);
        line = '';
      }
      line += character;
    }
  }
  return line ? [...lines, line] : lines;
}
