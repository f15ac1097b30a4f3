import type { Page } from '@playwright/test';
import { desktopSize, landscapeSize, laptopSizes, phoneSize } from './browser.ts';

/** What is wrong with a screen as it is drawn, in each size that people have. */

interface Size {
  name: string;
  width: number;
  height: number;
  /** The root's text in px, if other than 16. */
  text?: number;
}

const sizes: Size[] = [
  // 'Très grand' of the settings, on the narrowest phone.
  { name: '320', width: 320, height: 568, text: 20 },
  { name: '360', ...phoneSize },
  // Text of twice the size, as people with low vision set it.
  { name: '360 at 200 %', ...phoneSize, text: 32 },
  ...laptopSizes.map((size) => ({ name: `${size.width}`, ...size })),
  { name: '1280', ...desktopSize },
];
export const panelSizes = sizes;
/** With a phone whose pages are zoomed to 200 %, and one on its side. */
export const personSizes = [{ name: '180', width: 180, height: 370 }, ...sizes, { name: '740', ...landscapeSize }];

const setText = (page: Page, size: string) =>
  page.evaluate((fontSize) => {
    document.documentElement.style.fontSize = fontSize;
  }, size);

/** Resizes the page through the sizes; returns each fault as 'size · kind · element'. The page has its own size again. */
export async function findFaults(page: Page, looked: readonly Size[]): Promise<string[]> {
  const own = page.viewportSize();
  const faults: string[] = [];
  const dialogs = await page.locator('dialog[open]').count();
  for (const { name, width, height, text } of looked) {
    await setText(page, text ? `${text}px` : '');
    await page.setViewportSize({ width, height });
    // What asks for the screen's size is drawn anew.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    for (const fault of await page.evaluate(findFaultsHere, dialogs)) faults.push(`${name} · ${fault}`);
  }
  await setText(page, '');
  if (own) await page.setViewportSize(own);
  return faults;
}

/**
 * Runs in the page, over the uppermost dialog or else the whole screen:
 * - `sideways`: the page or the dialog scrolls sideways, and the elements that stand out
 * - `small text`: below 12 px, or 6 at 180 pixels, which a zoom of 200 % draws twice as large
 * - `one sign a line`: text in less than 24 px (at 200 % less than a sign and a half), broken or cut
 * - `covered`: a button, link or field with another element over its centre, wherever the page is scrolled to
 * - `out of reach`: the same beyond the edge of what scrolls
 * - `closed`: a dialog went with the size that it was opened in
 * - `tall bar`: fixed or sticky, as wide as half of the screen and higher than a quarter of it
 */
function findFaultsHere(dialogs: number): string[] {
  const faults = new Set<string>();
  const { clientWidth: roomWide, clientHeight: roomHigh } = document.documentElement;
  const scope = [...document.querySelectorAll<HTMLElement>('dialog')].findLast((each) => each.matches(':modal'));
  const all = [...(scope ?? document.body).querySelectorAll<HTMLElement>('*')];
  const styles = new Map<Element, CSSStyleDeclaration>();
  const styleOf = (element: Element) => {
    const style = styles.get(element) ?? getComputedStyle(element);
    styles.set(element, style);
    return style;
  };

  const spell = (element: Element) => {
    const { value = '', placeholder = '', name = '' } = element as HTMLInputElement;
    const text = element.getAttribute('aria-label') || element.textContent?.trim() || value || placeholder || name;
    const words = (text || element.className.toString()).replace(/\s+/g, ' ');
    return `${element.getAttribute('role') ?? element.localName} '${words.slice(0, 48)}'`;
  };

  /** Words for screen readers alone are a clipped pixel. */
  const clipped = new Map<Element, boolean>();
  const isClipped = (element: Element): boolean => {
    const known = clipped.get(element);
    if (known !== undefined) return known;
    const { offsetWidth = 9, offsetHeight = 9 } = element as HTMLElement;
    const isPixel = offsetWidth <= 1 && offsetHeight <= 1 && styleOf(element).overflow !== 'visible';
    const is = isPixel || (element.parentElement !== null && isClipped(element.parentElement));
    clipped.set(element, is);
    return is;
  };
  const isDrawn = (element: Element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !isClipped(element);

  const findSideways = () => {
    const outer = scope ? scope.getBoundingClientRect().left + scope.clientLeft + scope.clientWidth : roomWide;
    const isWide = scope ? scope.scrollWidth > scope.clientWidth : document.documentElement.scrollWidth > roomWide;
    if (!isWide) return;
    const scrolls = (element: Element | null): boolean =>
      element !== null &&
      element !== scope &&
      (styleOf(element).overflowX !== 'visible' || scrolls(element.parentElement));
    const wide = all.filter(
      (each) => each.getBoundingClientRect().right > outer + 0.5 && isDrawn(each) && !scrolls(each.parentElement),
    );
    const deepest = wide.filter((each) => !wide.some((other) => other !== each && each.contains(other)));
    for (const each of deepest.slice(0, 3))
      faults.add(`sideways · ${spell(each)} by ${Math.ceil(each.getBoundingClientRect().right - outer)} px`);
    if (deepest.length === 0) faults.add(`sideways · ${spell(scope ?? document.body)}`);
  };
  /** What scrolls within the page, as the content of a large dialog. */
  const findSidewaysWithin = () => {
    for (const each of all)
      if (/auto|scroll/.test(styleOf(each).overflowX) && each.clientHeight > roomHigh / 3 && isDrawn(each))
        if (each.scrollWidth > each.clientWidth) faults.add(`sideways · within ${spell(each)}`);
  };

  const smallest = roomWide <= 180 ? 6 : 12;
  const isSmall = (element: Element) => Number.parseFloat(styleOf(element).fontSize) < smallest;
  const blockOf = (element: Element): Element =>
    /^(inline|contents)$/.test(styleOf(element).display) && element.parentElement
      ? blockOf(element.parentElement)
      : element;
  const isNarrow = (text: Text, element: Element) => {
    const least = Math.max(24, 1.5 * Number.parseFloat(styleOf(element).fontSize));
    const block = blockOf(element);
    if (block.clientWidth < least && block.scrollWidth > block.clientWidth) return true;
    const range = document.createRange();
    range.selectNodeContents(text);
    const lines = [...range.getClientRects()].filter(({ width }) => width > 0);
    return new Set(lines.map(({ top }) => Math.round(top))).size > 1 && lines.every(({ width }) => width < least);
  };
  const findBadText = () => {
    const texts = document.createTreeWalker(scope ?? document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const text = texts.currentNode as Text;
      const { parentElement: element } = text;
      // An emoji is a picture.
      if (!/[\p{L}\p{N}]/u.test(text.data) || !element || element.closest('svg, option')) continue;
      if (!isDrawn(element)) continue;
      if (isSmall(element)) faults.add(`small text · ${spell(element)} ${styleOf(element).fontSize}`);
      if (text.data.trim().length > 1 && isNarrow(text, element)) faults.add(`one sign a line · ${spell(element)}`);
    }
    for (const each of all)
      if (each.matches('input:not([type=checkbox], [type=radio], [type=range]), select, textarea') && isDrawn(each))
        if (isSmall(each)) faults.add(`small text · ${spell(each)} ${styleOf(each).fontSize}`);
  };

  /** What is at the centre of an element, or nothing beyond the edge of the screen; of a link over two lines, of the longer one. */
  const findAtCentre = (element: Element) => {
    const area = ({ width, height }: DOMRect) => width * height;
    const [box] = [...element.getClientRects()].sort((a, b) => area(b) - area(a));
    return box ? document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2) : element;
  };
  const isOwn = (element: Element, hit: Element | null) =>
    element.contains(hit) || [...((element as HTMLInputElement).labels ?? [])].some((label) => label.contains(hit));
  const pressed =
    'a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [role=menuitem], [role=switch], [role=tab]';
  const findCovered = () => {
    const place = { left: scrollX, top: scrollY, behavior: 'instant' } as const;
    for (const each of all) {
      if (!each.matches(pressed) || each.closest('[inert], [aria-hidden=true]')) continue;
      if (styleOf(each).pointerEvents === 'none' || !isDrawn(each)) continue;
      if (isOwn(each, findAtCentre(each))) continue;
      each.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
      const hit = findAtCentre(each);
      if (!hit) faults.add(`out of reach · ${spell(each)}`);
      else if (!isOwn(each, hit)) faults.add(`covered · ${spell(each)} under ${spell(hit)}`);
    }
    scrollTo(place);
  };

  const sticks = ({ position, top, bottom }: CSSStyleDeclaration, height: number) =>
    position === 'fixed' ||
    (position === 'sticky' && [top, bottom].some((edge) => edge !== 'auto' && Number.parseFloat(edge) > -height));
  const findTallBars = () => {
    for (const each of all) {
      const style = styleOf(each);
      if (style.position !== 'fixed' && style.position !== 'sticky') continue;
      const { width, height } = each.getBoundingClientRect();
      if (width < roomWide / 2 || height <= roomHigh / 4 || !sticks(style, height)) continue;
      // A picture behind the page, and the place of messages, take no press.
      if (style.pointerEvents === 'none' || Number(style.zIndex) < 0 || !isDrawn(each)) continue;
      faults.add(`tall bar · ${spell(each)} ${Math.round(height)} of ${roomHigh} px`);
    }
  };

  if (document.querySelectorAll('dialog[open]').length < dialogs) faults.add('closed · dialog');
  findSideways();
  findSidewaysWithin();
  findBadText();
  findTallBars();
  findCovered();
  return [...faults];
}
