import type { Plugin } from 'vite';
import { userAddresses } from '#web/addresses.ts';
import { type Bundle, closureOf, sheetsOf } from './bundle.ts';
import { earlyScript } from './early-script.ts';

/**
 * The screens of `web/user-screens.tsx` with separate chunks that an address may open. A question mark: it has a query.
 */
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
 * by its hash (`server/http/security-headers.ts`).
 */
export function firstDocument(): Plugin {
  return {
    name: 'first-document',
    apply: 'build',
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
        if (!built) return html;
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
        const script = earlyScript({ user, own: Object.fromEntries(own), content, admin });
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
