/**
 * The oldest supported browsers, as Vite's `build.target` writes them; Safari's numbers are iOS's too. Chrome ends at 106 on
 * Android 6 and at 109 on Windows 7. Safari's and Firefox's are Tailwind 4's (https://tailwindcss.com/docs/compatibility).
 * An older browser shows what `web/index.html` says.
 *
 * The build lowers newer syntax and CSS, such as nesting and `@media (width >= …)`. `tsc -p web` refuses newer functions of
 * JavaScript's library; `e2e/old-chromium.spec.ts` opens the app in that Chrome, and nothing else looks for newer
 * built-ins of the DOM, regular expression groups or CSS values. The table lists those that the app and Tailwind use and
 * Chrome 103 lacks, by MDN's compatibility data, with what it does without.
 *
 *                                    Chrome  Safari  Firefox
 *     text-wrap: pretty                 117    26        —    wraps as usual
 *     color-mix(), inside @supports     111    16.2    113    draws the whole colour
 *     dvh, in --screen alone            108    15.4    101    takes vh
 *     @container                        105    16      110    keeps the narrow layout
 *     :has()                            105    15.4    121    lays out in one column; web/styles.css has the rest
 *
 * WebOTP and the clipboard are feature-detected.
 */
export const minimumBrowsers = ['chrome103', 'safari16.4', 'firefox128'] as const;
