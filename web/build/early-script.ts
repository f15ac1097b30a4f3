import { readMe } from '#contract/auth.ts';
import { listServices } from '#contract/catalogue.ts';
import { readContentPage } from '#contract/content-pages.ts';
import { countUnread } from '#contract/notifications.ts';
import { readPageBackground } from '#contract/page-background.ts';
import { addresses, contentAddress } from '#web/addresses.ts';
import { requestTimeoutMs } from '#web/api/limits.ts';
import { preloadedResponsesName } from '#web/api/preloaded-responses.ts';
import { storedUserKey } from '#web/session/stored-user.ts';
import { installOfferName } from '#web/shell/use-install.ts';

/**
 * The text of the page's inline script, which runs before any file of the app. It preloads the chunks of a stored
 * user's screens, and sends these screens' first requests. `web/api/client.ts` takes each response once; refused or
 * lost ones are requested again. With two seconds each way, this saves two sequential round trips. It also stores the
 * browser's installation offer, which may come before any file of the app.
 */
export function earlyScript(files: {
  user: string[];
  own: Record<string, string[]>;
  content: string[];
  admin: string[];
}): string {
  const content = contentAddress('');
  const name = JSON.stringify(preloadedResponsesName);
  const [unreadBefore, unreadAfter] = countUnread.path.split(':userId');
  return `(() => {
const keepOffer = (offer) => { offer.preventDefault(); window[${JSON.stringify(installOfferName)}] = offer; };
addEventListener("beforeinstallprompt", keepOffer);
addEventListener("appinstalled", () => { delete window[${JSON.stringify(installOfferName)}]; });
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
load(${JSON.stringify(files.content)});
ask(${JSON.stringify(readContentPage.path.replace(':slug', ''))} + path.slice(${content.length}));
} else if (known && user.isAdmin) load(${JSON.stringify(files.admin)});
else if (known) {
load(${JSON.stringify(files.user)}.concat(${JSON.stringify(files.own)}[path + (location.search && "?")] ?? []));
if (path + location.search === ${JSON.stringify(addresses.home)}) ask(${JSON.stringify(listServices.path)});
if (!user.isGuest) ask(${JSON.stringify(unreadBefore)} + user.id + ${JSON.stringify(unreadAfter)});
}
if (known) ask(${JSON.stringify(readMe.path)});
ask(${JSON.stringify(readPageBackground.path)}, known ? { "x-user-id": String(user.id) } : {});
})();`.replaceAll('\n', '');
}
