import type { Plugin } from 'vite';
import { userAddresses } from '#web/addresses.ts';
import { type Bundle, closureOf, sheetsOf } from './bundle.ts';
import { earlyScript } from './early-script.ts';

/** The screens of `web/user-screens.tsx` that are chunks of their own and may be opened by their address; a question mark says that it has a query. */
const screenModules = [
  [`${userAddresses.home}?`, 'web/features/catalogue/level-screen.tsx'],
  [userAddresses.summary, 'web/features/order/summary-page.tsx'],
  [userAddresses.tickets, 'web/features/tickets/tickets-page.tsx'],
  [userAddresses.notifications, 'web/features/notifications/notifications-page.tsx'],
  [userAddresses.settings, 'web/features/settings/settings-page.tsx'],
] as const;

/**
 * Makes of the page what is drawn and asked for first. The style sheet goes to the end of the body: browsers draw what stands
 * above one, and run no script before it is there. What the screens need is asked for by a script of the page's own, which
 * the security policy allows by its hash (`server/http/security-headers.ts`).
 */
export function firstDocument(): Plugin {
  return {
    name: 'first-document',
    apply: 'build',
    transform(code, id) {
      if (!id.includes('vite/preload-helper')) return undefined;
      // Behind the page's own sheet, wherever that stands, so that a part's sheet has the last word.
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
