import type { Plugin } from 'vite';
import { readMe } from '#contract/auth.ts';
import { listServices } from '#contract/catalogue.ts';
import { readContentPage } from '#contract/content-pages.ts';
import { countUnread } from '#contract/notifications.ts';
import { readPageBackground } from '#contract/page-background.ts';
import { listUserTickets } from '#contract/tickets.ts';
import { addresses, contentAddress, receiptAddress, userAddresses } from '#web/addresses.ts';
import { preloadedResponsesName } from '#web/api/client.ts';
import { requestTimeoutMs, rowsPerPage } from '#web/api/limits.ts';
import { storedUserKey } from '#web/session/stored-user.ts';
import { markAble } from '#web/shell/able.ts';
import { followLook, lookKey } from '#web/shell/look.ts';
import { keptPrefix } from '#web/store.ts';
import { type Bundle, closureOf, sheetsOf } from './bundle.ts';

/** Screens with separate chunks that an address may open. A question mark: it has a query. */
const screenModules = [
  [`${userAddresses.home}?`, 'web/features/catalogue/level-screen.tsx'],
  [userAddresses.summary, 'web/features/order/summary-page.tsx'],
  [userAddresses.tickets, 'web/features/tickets/tickets-page.tsx'],
  [userAddresses.notifications, 'web/features/notifications/notifications-page.tsx'],
  [userAddresses.settings, 'web/features/settings/settings-page.tsx'],
] as const;

/**
 * Makes the document draw and request first. Browsers draw the content above a style sheet, and run no script before it
 * loads: the sheet goes to the end of the body. An inline script preloads and requests; the security policy allows it
 * by its hash (`server/http/security-headers.ts`). In development the inline script only judges the browser and applies the look.
 */
export function firstDocument(): Plugin {
  return {
    name: 'first-document',
    transform(code, id) {
      if (!id.includes('vite/preload-helper')) return undefined;
      // Chunk sheets come after the page's own sheet, so that their rules win.
      const moved = code.replace('document.head.appendChild', 'document.body.appendChild');
      if (moved === code) throw new Error('Vite no longer appends the sheets of parts to the head');
      return moved;
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        const built = bundle as Bundle | undefined;
        if (!built) return html.replace('</head>', `<script>${lookScript}</script>\n</head>`);
        const sheet = /\n\s*<link rel="stylesheet"[^>]*>/.exec(html)?.[0];
        if (!sheet) throw new Error('the page has no style sheet');
        const preload = sheet.replace('rel="stylesheet"', 'rel="preload" as="style"');
        const first = closureOf(built, 'web/index.html');
        const filesOf = (module: string) => {
          const chunks = [...closureOf(built, module)].filter((file) => !first.has(file));
          return [...chunks, ...sheetsOf(built, chunks)];
        };
        const user = filesOf('web/user-screens.tsx');
        const own = screenModules.map(([address, module]) => [
          address,
          filesOf(module).filter((each) => !user.includes(each)),
        ]);
        const admin = filesOf('web/features/admin/admin-panel.tsx');
        const content = filesOf('web/features/content-pages/content-page.tsx');
        const receipt = filesOf('web/features/receipts/receipt-page.tsx');
        const script = earlyScript({ user, own: Object.fromEntries(own), content, receipt, admin });
        return html
          .replace(sheet, '')
          .replace('</title>', `</title>${preload}`)
          .replace('</head>', `<script>${script}</script>\n</head>`)
          .replace('</body>', `${sheet.trim()}\n  </body>`)
          .replace(/\n\s*<!--.*?-->/gs, '')
          .replace(/\n\s+/g, '\n');
      },
    },
  };
}

const lookScript = `(${markAble})();(${followLook})(${JSON.stringify(lookKey)});`.replaceAll(/\n\s*/g, '');

/**
 * The text of the page's inline script, which runs before any file of the app. It judges the browser, applies the look, preloads the chunks of a stored
 * user's screens, and sends these screens' first requests. `web/api/client.ts` takes each response once; refused or
 * lost ones are requested again. With two seconds each way, this saves two sequential round trips. A first visit of home
 * asks for the tickets instead of the unread count: with both, an HTTP/1 browser takes a round trip more.
 */
function earlyScript(files: {
  user: string[];
  own: Record<string, string[]>;
  content: string[];
  receipt: string[];
  admin: string[];
}): string {
  const content = contentAddress('');
  const name = JSON.stringify(preloadedResponsesName);
  const [ticketsBefore, ticketsAfter] = listUserTickets.path.split(':userId');
  const [unreadBefore, unreadAfter] = countUnread.path.split(':userId');
  return `${lookScript}(() => {
if (!document.documentElement.dataset.able) return;
const early = window[${name}] = {};
const ask = (path, headers) => {
early[path] = fetch(path, { credentials: "include", headers, signal: AbortSignal.timeout(${requestTimeoutMs}) });
early[path].then((answer) => { if (!answer.ok) delete early[path]; }, () => { delete early[path]; });
};
let user;
try { user = JSON.parse(localStorage.getItem(${JSON.stringify(storedUserKey)})); } catch {}
const known = typeof user?.id === "number";
const load = (files) => {
for (const file of files) {
const link = document.createElement("link");
const isSheet = file.endsWith(".css");
link.rel = isSheet ? "preload" : "modulepreload";
if (isSheet) link.as = "style";
link.crossOrigin = "";
link.href = "/" + file;
document.head.append(link);
}
};
const path = location.pathname;
if (path.startsWith(${JSON.stringify(content)})) {
load(${JSON.stringify(files.content)}.concat(known && !user.isAdmin ? ${JSON.stringify(files.user)} : []));
ask(${JSON.stringify(readContentPage.path.replace(':slug', ''))} + path.slice(${content.length}));
} else if (path.startsWith(${JSON.stringify(receiptAddress(''))})) load(${JSON.stringify(files.receipt)});
else if (known && user.isAdmin) load(${JSON.stringify(files.admin)});
else if (known) {
load(${JSON.stringify(files.user)}.concat(${JSON.stringify(files.own)}[path + (location.search && "?")] ?? []));
const isHome = path + location.search === ${JSON.stringify(addresses.home)};
if (isHome) ask(${JSON.stringify(listServices.path)});
const tickets = ${JSON.stringify(ticketsBefore)} + user.id + ${JSON.stringify(`${ticketsAfter}?limit=${rowsPerPage}`)};
const kept = ${JSON.stringify(keptPrefix)} + user.id + ":" + tickets;
const isNew = isHome && localStorage.getItem(kept) === null;
if (!user.isGuest) ask(isNew ? tickets : ${JSON.stringify(unreadBefore)} + user.id + ${JSON.stringify(unreadAfter)});
}
if (known) ask(${JSON.stringify(readMe.path)});
ask(${JSON.stringify(readPageBackground.path)}, known ? { "x-user-id": String(user.id) } : {});
})();`.replaceAll('\n', '');
}
